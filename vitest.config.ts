import { defineConfig } from "vitest/config";

const source = (path: string) => new URL(`./src/${path}`, import.meta.url).pathname;

export default defineConfig({
  resolve: {
    alias: [
      { find: /^nestcall$/, replacement: source("index.ts") },
      { find: /^nestcall\/(codemode|file-tools|guards|testing)$/, replacement: source("$1/index.ts") },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    typecheck: { enabled: false },
    coverage: { provider: "v8", include: ["src/**"] },
  },
});
