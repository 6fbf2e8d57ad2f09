/// <reference types="vitest/config" />
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin, type Rolldown } from "vite";

const LANGUAGES = fileURLToPath(new URL("../src/podium/languages", import.meta.url));
const SCREENS = ["play", "dealer", "display", "floor"] as const;
/** What a phone may load for the player terminal, with brotli: its page, scripts and styles, and the Latin of the typeface. */
const MOST: Partial<Record<string, number>> = { play: 180_000 };
/** Typefaces and pictures are packed already. */
const PACKED_ALREADY = /\.(woff2|webp|png|jpg)$/;
const LICENCES = { inter: "@fontsource-variable/inter", "noto-sans-sc": "@fontsource-variable/noto-sans-sc" };

/** Prints what each screen loads, and fails the build when a screen has grown too large. */
function sizes(): Plugin {
  return {
    name: "sizes",
    writeBundle(_, bundle) {
      for (const screen of SCREENS) {
        const files = loadedBy(`${screen}.html`, bundle);
        const bytes = files.reduce((sum, file) => sum + (bundle[file] ? sent(file, bundle[file]) : 0), 0);
        console.log(`${screen}: ${(bytes / 1000).toFixed(1)} kB in ${files.length} files`);
        const most = MOST[screen];
        if (most && bytes > most) this.error(`${screen} loads ${bytes} bytes; at most ${most} are allowed.`);
      }
    },
  };
}

type Built = Rolldown.OutputAsset | Rolldown.OutputChunk;
const contentOf = (file: Built): Buffer => Buffer.from(file.type === "chunk" ? file.code : file.source);
const withBrotli = (content: Buffer): Buffer =>
  brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } });

/** How many bytes the house sends for a file. */
function sent(name: string, file: Built): number {
  const content = contentOf(file);
  return PACKED_ALREADY.test(name) ? content.length : withBrotli(content).length;
}

/** Writes beside every file what the house sends of it to a browser that unpacks: `.br` and `.gz`. */
function packed(): Plugin {
  return {
    name: "packed",
    async writeBundle({ dir = "" }, bundle) {
      const files = Object.entries(bundle).filter(([name]) => !PACKED_ALREADY.test(name));
      for (const [name, file] of files) {
        const content = contentOf(file);
        await writeFile(join(dir, `${name}.br`), withBrotli(content));
        await writeFile(join(dir, `${name}.gz`), gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
      }
    },
  };
}

/** The licences of the typefaces travel with them, as the SIL Open Font License asks. */
function licences(): Plugin {
  return {
    name: "licences",
    async generateBundle() {
      for (const [name, source] of Object.entries(LICENCES)) {
        const text = await readFile(fileURLToPath(new URL(`node_modules/${source}/LICENSE`, import.meta.url)));
        this.emitFile({ type: "asset", fileName: `assets/${name}.LICENSE.txt`, source: text });
      }
    },
  };
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

/** What only the floor's screen says, by the first part of its keys; the other screens do not load the English of it. */
const ON_THE_FLOOR = ["health", "report", "setting"];
const isOnTheFloor = (key: string): boolean => ON_THE_FLOOR.includes(key.split(".")[0] ?? "");

/**
 * A part of a catalogue: `es.json?name` is that language's own name alone, so that a terminal lists the languages without
 * loading them; `en.json?floor` is what only the floor says, and `en.json?everywhere` all the rest.
 */
function partsOfLanguages(): Plugin {
  return {
    name: "parts-of-languages",
    async load(id) {
      const [file = "", part = ""] = id.split("?");
      if (!file.startsWith(LANGUAGES) || !["name", "floor", "everywhere"].includes(part)) return null;
      this.addWatchFile(file);
      const words = JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
      const code =
        part === "name"
          ? `export const name = ${JSON.stringify(words["mark.language"])};`
          : `export default ${JSON.stringify(chosen(words, (key) => isOnTheFloor(key) === (part === "floor")))};`;
      return { code, moduleType: "js" };
    },
  };
}

const chosen = (words: Record<string, unknown>, wanted: (key: string) => boolean): Record<string, unknown> =>
  Object.fromEntries(Object.entries(words).filter(([key]) => wanted(key)));

/** `npm run parts` builds the page of all parts alone, beside the house. */
const PARTS = "parts";

export default defineConfig(({ mode }) => ({
  plugins: [svelte(), partsOfLanguages(), ...(mode === PARTS ? [] : [licences(), packed(), sizes()])],
  resolve: {
    alias: { $lib: "/src/lib", $parts: "/src/parts", $languages: LANGUAGES },
    conditions: process.env.VITEST ? ["browser"] : undefined,
  },
  build: {
    outDir: mode === PARTS ? "../build/parts" : "../src/podium/server/static",
    emptyOutDir: true,
    target: "es2022",
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: (mode === PARTS ? [PARTS] : SCREENS).map((screen) => `${screen}.html`) },
  },
  server: {
    fs: { allow: [".", LANGUAGES] },
    proxy: { "/api": "http://localhost:8000", "/ws": { target: "ws://localhost:8000", ws: true } },
  },
  test: { environment: "jsdom", include: ["tests/**/*.test.ts"], restoreMocks: true },
}));
