import { defineConfig } from "vitest/config";

const source = (path: string) => new URL(`./src/${path}`, import.meta.url).pathname;
/** Its workers cannot run TypeScript, so codemode is tested as it is built; the set-up builds what is older than its source. */
const builtCodemode = new URL("./dist/codemode/index.js", import.meta.url).pathname;

export default defineConfig({
  resolve: {
    alias: [
      { find: /^nestcall\/codemode$/, replacement: builtCodemode },
      { find: /^nestcall$/, replacement: source("index.ts") },
      { find: /^nestcall\/(agntn|elowen|mcp|pi)$/, replacement: source("hosts/$1/index.ts") },
      { find: /^nestcall\/otel$/, replacement: source("trace/otel/index.ts") },
      { find: /^nestcall\/(file-tools|guards|testing|trace)$/, replacement: source("$1/index.ts") },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/helpers/build-set-up.ts"],
    pool: "forks",
    typecheck: { enabled: false },
    coverage: { provider: "v8", include: ["src/**"] },
  },
});
