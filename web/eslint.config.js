import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import { defineConfig } from "eslint/config";
import globals from "globals";
import typescript from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

/** Prettier keeps code within 120 columns; longer strings and comments are broken by hand. */
const MAX_LINE_COLUMNS = 140;

export default defineConfig(
  { ignores: ["src/generated/", "fixtures/out/"] },
  js.configs.recommended,
  typescript.configs.recommendedTypeChecked,
  typescript.configs.stylisticTypeChecked,
  svelte.configs.recommended,
  // Prettier decides how code looks: this switches off the rules of the plugin that would contradict it.
  svelte.configs.prettier,
  {
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: true, extraFileExtensions: [".svelte"] },
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "max-len": ["error", { code: MAX_LINE_COLUMNS }],
      "@typescript-eslint/no-deprecated": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      // `const { [name]: _, ...others }` is how a field is left out.
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
      // Between two conditions `||` is logic; only in front of a default it is a mistake.
      "@typescript-eslint/prefer-nullish-coalescing": ["error", { ignorePrimitives: { boolean: true } }],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/use-unknown-in-catch-callback-variable": "error",
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: typescript.parser, svelteConfig } },
    rules: { "svelte/block-lang": ["error", { script: "ts" }] },
  },
  {
    // The linter takes what comes from another component, a type or a snippet's argument, for `any`; svelte-check knows it.
    files: ["**/*.svelte"],
    rules: {
      "@typescript-eslint/no-redundant-type-constituents": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  {
    // What is missing in a test makes it fail there and then.
    files: ["tests/**"],
    rules: { "@typescript-eslint/no-non-null-assertion": "off" },
  },
  // The configurations are no part of the terminals' TypeScript project.
  { files: ["*.js"], extends: [typescript.configs.disableTypeChecked], languageOptions: { globals: globals.node } },
);
