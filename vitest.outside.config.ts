import { defineConfig } from "vitest/config"

// What takes long or needs programs that npm does not bring; docs/outside.md names them. `npm run outside`.
export default defineConfig({
  resolve: { conditions: ["@overa/source"] },
  ssr: { resolve: { conditions: ["@overa/source"] } },
  test: {
    include: ["contract-tests/outside/**/*.test.ts"],
    pool: "forks",
    execArgv: ["--conditions=@overa/source"],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000
  }
})
