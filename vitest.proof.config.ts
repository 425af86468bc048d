import { defineConfig } from "vitest/config"
import { sources } from "./vitest.shared.ts"

// `npm run proof`: simulated worlds, kills, drills, upgrades, attacks and pages in a browser (contract-tests/proof/README.md).
export default defineConfig({ ...sources, test: { ...sources.test, include: ["contract-tests/proof/**/*.test.ts"] } })
