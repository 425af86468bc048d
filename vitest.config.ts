import { defineConfig } from "vitest/config"

// Sources run directly: the private condition points every workspace import at src/ (docs/adr/0002).
export default defineConfig({
  resolve: { conditions: ["@overa/source"] },
  ssr: { resolve: { conditions: ["@overa/source"] } },
  test: {
    include: [
      "domain/test/**/*.test.ts",
      "adapters/*/test/**/*.test.ts",
      "hosts/*/test/**/*.test.ts",
      "client/test/**/*.test.ts",
      "verify/test/**/*.test.ts",
      "contract-tests/test/**/*.test.ts",
      "contract-tests/attacks/**/*.test.ts",
      "tools/*.test.ts"
    ],
    // One throw-away PostgreSQL for the whole run, started when the first test asks for it.
    globalSetup: ["contract-tests/src/support/globalPostgres.ts"],
    pool: "forks",
    execArgv: ["--conditions=@overa/source"],
    testTimeout: 20_000,
    hookTimeout: 60_000
  }
})
