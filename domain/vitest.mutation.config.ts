import { defineConfig } from "vitest/config"

// What mutation testing runs (stryker.config.json): the domain's own rules and examples with fewer cases each, nothing of the hosts.
// OVERA_MUTATION_TESTS narrows them to test files whose names hold one of its comma-separated words, e.g. `taxes,money`.
const words = (process.env["OVERA_MUTATION_TESTS"] ?? "").split(",").filter((word) => word !== "")

export default defineConfig({
  resolve: { conditions: ["@overa/source"] },
  ssr: { resolve: { conditions: ["@overa/source"] } },
  test: {
    include: words.length === 0
      ? ["domain/test/rules/**/*.test.ts", "domain/test/examples/**/*.test.ts"]
      : words.map((word) => `domain/test/{rules,examples}/**/${word}*.test.ts`),
    env: { OVERA_RULES_CASES: "40" },
    testTimeout: 20_000
  }
})
