import { defineConfig } from "vitest/config"

// The published packages, packed and used from an empty folder: `npm run packages`. These tests do not see the sources.
export default defineConfig({
  resolve: { conditions: ["@overa/source"] },
  ssr: { resolve: { conditions: ["@overa/source"] } },
  test: {
    globalSetup: ["contract-tests/src/support/globalPostgres.ts"],
    execArgv: ["--conditions=@overa/source"],
    include: ["tools/packages/**/*.test.ts"],
    pool: "forks",
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 300_000
  }
})
