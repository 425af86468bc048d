import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { sources } from "./vitest.shared.ts"

// `npm test`: what a contributor runs all day. Kills, drills, browsers and long worlds are in vitest.proof.config.ts.
export default defineConfig({
  ...sources,
  test: {
    ...sources.test,
    // Modules are loaded once for all files of a worker: loading them anew for each file took a third of the time.
    isolate: false,
    // The default leaves a core to the editor: on two cores that is one worker, and twice the time.
    maxWorkers: availableParallelism(),
    include: [
      "domain/test/**/*.test.ts",
      "adapters/*/test/**/*.test.ts",
      "hosts/*/test/**/*.test.ts",
      "client/test/**/*.test.ts",
      "orders/test/**/*.test.ts",
      "shops/shared/test/**/*.test.ts",
      "verify/test/**/*.test.ts",
      "contract-tests/test/**/*.test.ts",
      "tools/*.test.ts"
    ]
  }
})
