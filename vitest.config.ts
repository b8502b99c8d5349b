import { defineConfig } from "vitest/config";

const source = (path: string) => new URL(`./src/${path}`, import.meta.url).pathname;

export default defineConfig({
  resolve: {
    alias: [
      { find: /^nestcall$/, replacement: source("index.ts") },
      { find: /^nestcall\/(elowen|mcp|pi)$/, replacement: source("hosts/$1/index.ts") },
      { find: /^nestcall\/(file-tools|guards|testing|trace)$/, replacement: source("$1/index.ts") },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    typecheck: { enabled: false },
    coverage: { provider: "v8", include: ["src/**"] },
  },
});
