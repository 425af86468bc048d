import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { goingLiveSteps, type Standing } from "../src/pages/setup/goingLivePage.ts"

const status = fc.constantFrom("UPLOADED", "ACTIVE", "REPLACED", "EXPIRED") as fc.Arbitrary<Standing["elements"][number]>
const standing = fc.record({
  sandboxTaxpayer: fc.boolean(),
  sandboxElement: fc.boolean(),
  sandboxCredential: fc.boolean(),
  sandboxReceipt: fc.boolean(),
  taxpayer: fc.boolean(),
  elements: fc.array(status, { maxLength: 3 }),
  licence: fc.boolean(),
  credential: fc.boolean(),
  productionReceipt: fc.boolean()
})

describe("the steps to the first real receipt", () => {
  it("are done exactly where the facts say so", () => {
    fc.assert(fc.property(standing, (facts) => {
      const done = goingLiveSteps(facts).map(({ isDone }) => isDone)
      const { elements } = facts
      const inUse = elements.includes("ACTIVE")
      const tried = facts.sandboxReceipt
      const sandbox = [facts.sandboxTaxpayer || tried, facts.sandboxElement || tried, facts.sandboxCredential || tried, tried]
      assert.deepStrictEqual(done, [...sandbox, facts.taxpayer, inUse || elements.includes("UPLOADED"), inUse, facts.licence, facts.credential, facts.productionReceipt])
    }))
  })
})
