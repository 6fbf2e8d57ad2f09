/// <reference types="vitest/config" />
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin, type Rolldown } from "vite";

const LANGUAGES = fileURLToPath(new URL("../src/podium/languages", import.meta.url));
const SCREENS = ["play", "dealer", "display", "floor"] as const;
/** What a phone loads for the player terminal, gzipped; issue 4 asks for less than 150 kB. */
const MOST: Partial<Record<string, number>> = { play: 150_000 };

/** Prints what each screen loads, and fails the build when a screen has grown too large. */
function sizes(): Plugin {
  return {
    name: "sizes",
    writeBundle(_, bundle) {
      for (const screen of SCREENS) {
        const files = loadedBy(`${screen}.html`, bundle);
        const bytes = files.reduce((sum, file) => sum + gzipped(bundle[file]), 0);
        console.log(`${screen}: ${(bytes / 1000).toFixed(1)} kB gzipped in ${files.length} files`);
        const most = MOST[screen];
        if (most && bytes > most) this.error(`${screen} loads ${bytes} bytes gzipped; at most ${most} are allowed.`);
      }
    },
  };
}

function gzipped(file: Rolldown.OutputAsset | Rolldown.OutputChunk | undefined): number {
  if (!file) return 0;
  return gzipSync(file.type === "chunk" ? file.code : file.source).length;
}

/** The page itself, and every script and style that it loads before anything is tapped. */
function loadedBy(page: string, bundle: Rolldown.OutputBundle): string[] {
  const html = bundle[page];
  if (html?.type !== "asset") return [];
  const found = new Set([page]);
  const named = [...String(html.source).matchAll(/(?:src|href)="\/([^"]+)"/g)].flatMap((match) => match[1] ?? []);
  const visit = (name: string) => {
    const file = bundle[name];
    if (!file || found.has(name)) return;
    found.add(name);
    if (file.type === "chunk") file.imports.forEach(visit);
  };
  named.forEach(visit);
  return [...found];
}

/** `es.json?name` is that language's own name alone: a terminal lists the languages without loading them. */
function languageNames(): Plugin {
  return {
    name: "language-names",
    async load(id) {
      const [file = "", query] = id.split("?");
      if (!file.startsWith(LANGUAGES) || query !== "name") return null;
      this.addWatchFile(file);
      const words = JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
      return { code: `export const name = ${JSON.stringify(words["mark.language"])};`, moduleType: "js" };
    },
  };
}

export default defineConfig({
  plugins: [svelte(), languageNames(), sizes()],
  resolve: {
    alias: { $lib: "/src/lib", $parts: "/src/parts", $languages: LANGUAGES },
    conditions: process.env.VITEST ? ["browser"] : undefined,
  },
  build: {
    outDir: "../src/podium/server/static",
    emptyOutDir: true,
    target: "es2022",
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: SCREENS.map((screen) => `${screen}.html`) },
  },
  server: {
    fs: { allow: [".", LANGUAGES] },
    proxy: { "/api": "http://localhost:8000", "/ws": { target: "ws://localhost:8000", ws: true } },
  },
  test: { environment: "jsdom", include: ["tests/**/*.test.ts"], restoreMocks: true },
});
