import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { errorTable } from "./errorTable.ts"

it("docs/errors.md is what the declarations say", () => {
  expect(readFileSync(new URL("../docs/errors.md", import.meta.url), "utf8")).toBe(errorTable())
})
