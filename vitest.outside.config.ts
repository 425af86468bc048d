import { defineConfig } from "vitest/config"

// Tests that take long or need programs that npm does not provide; docs/outside.md names them. `npm run outside`.
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
