/** The parts of the English catalogue, which vite.config.ts takes out of it. */
declare module "*.json?everywhere" {
  const words: import("./language").Catalogue;
  export default words;
}
declare module "*.json?floor" {
  const words: import("./language").Catalogue;
  export default words;
}
