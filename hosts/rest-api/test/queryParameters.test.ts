import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { readQuery } from "../src/http/queryParameters.ts"
import { operations } from "../src/operations/operations.ts"

const reads = operations.filter(({ query }) => Object.keys(query).length > 0)

describe("a control character in a query", () => {
  it("is a fault of every parameter of every operation", () => {
    expect(reads.length).toBeGreaterThan(5)
    for (const { id, query } of reads) {
      for (const name of Object.keys(query)) {
        for (const value of ["%00", "a%00b", "%0D%0A", "%7F"]) {
          const read = readQuery({ [name]: { ...query[name], required: false } as typeof query[string] }, `${name}=${value}`)
          expect([id, name, Result.isFailure(read)]).toEqual([id, name, true])
        }
      }
    }
  })
})
