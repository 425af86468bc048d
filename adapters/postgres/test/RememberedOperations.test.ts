import type { Operation } from "@overa/domain"
import { assert, describe, it } from "vitest"
import { RememberedOperations } from "../src/operations/RememberedOperations.ts"

const operation = (id: string, bodyLength = 0) =>
  ({ organizationId: "o", id, boundKey: { body: "x".repeat(bodyLength) } }) as unknown as Operation

describe("operations on their way", () => {
  it("are given back once", () => {
    const remembered = new RememberedOperations(100_000)
    const kept = operation("a")
    remembered.remember(kept)
    assert.strictEqual(remembered.take("o", "a"), kept)
    assert.isUndefined(remembered.take("o", "a"))
    assert.isUndefined(remembered.take("another organization", "a"))
  })

  it("are forgotten oldest first when together they are too large, however few they are", () => {
    const remembered = new RememberedOperations(100_000)
    for (const id of ["a", "b", "c"]) remembered.remember(operation(id, 20_000))
    assert.isUndefined(remembered.take("o", "a"))
    assert.isDefined(remembered.take("o", "b"))
    assert.isDefined(remembered.take("o", "c"))
    remembered.remember(operation("huge", 1_000_000))
    assert.isUndefined(remembered.take("o", "huge"))
    remembered.remember(operation("small"))
    assert.isDefined(remembered.take("o", "small"))
  })

  it("remembered again, are counted once", () => {
    const remembered = new RememberedOperations(100_000)
    for (let again = 0; again < 10; again += 1) remembered.remember(operation("a", 20_000))
    remembered.remember(operation("b", 20_000))
    assert.isDefined(remembered.take("o", "a"))
    assert.isDefined(remembered.take("o", "b"))
  })
})
