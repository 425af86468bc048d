import { setImmediate } from "node:timers/promises"
import { assert, describe, it } from "vitest"
import { gatherLines } from "../src/gatherLines.ts"

const gathering = () => {
  const written: Array<string> = []
  return { written, ...gatherLines((text) => written.push(text)) }
}

describe("log lines", () => {
  it("of one turn leave together, in their order, when it ends", async () => {
    const { write, written } = gathering()
    write("first")
    write("second")
    assert.deepStrictEqual(written, [])
    await setImmediate()
    assert.deepStrictEqual(written, ["first\nsecond\n"])
  })

  it("of the next turn leave by themselves", async () => {
    const { write, written } = gathering()
    write("first")
    await setImmediate()
    write("second")
    await setImmediate()
    assert.deepStrictEqual(written, ["first\n", "second\n"])
  })

  it("leave at once when the process ends, and only once", async () => {
    const { flush, write, written } = gathering()
    write("last words")
    flush()
    assert.deepStrictEqual(written, ["last words\n"])
    await setImmediate()
    flush()
    assert.deepStrictEqual(written, ["last words\n"])
  })
})
