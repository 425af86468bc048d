import { BigDecimal, Result } from "effect"
import { describe, expect, it } from "vitest"
import { formatDecimal } from "../../src/money/decimals.ts"
import { listMember, member, nodeAt, NumbersNotExact, readBodyTree, UnrepresentableNumber } from "../../src/requests/bodyTree.ts"

const read = (text: string): unknown => Result.getOrThrow(readBodyTree(text))
const written = (value: unknown): unknown => (BigDecimal.isBigDecimal(value) ? `decimal ${formatDecimal(value)}` : value)

describe("readBodyTree", () => {
  it("skips a byte-order mark and keeps numbers as written", () => {
    const tree = read("\uFEFF{\"a\":0.10,\"b\":[1e2]}")
    expect(written(member(tree, "a"))).toBe("decimal 0.1")
    expect(listMember(tree, "b").map(written)).toEqual(["decimal 100"])
  })

  it("reads a number from its text, so that one of too many digits is not taken for its neighbour", () => {
    expect(read("100000000000000000001")).toEqual(new UnrepresentableNumber("100000000000000000001"))
    expect(written(read("100000000000000000000"))).toBe("decimal 100000000000000000000")
  })

  it("answers a syntax error as a value", () => {
    const answer = readBodyTree("{")
    expect(Result.isFailure(answer) && answer.failure).toBeInstanceOf(SyntaxError)
  })
})

describe("readBodyTree in an engine that does not show numbers as written, like Node 20", () => {
  it("says what is needed, and never calls the body wrong", () => {
    const parse = JSON.parse.bind(JSON)
    JSON.parse = (text, reviver) => parse(text, reviver && ((key, value) => reviver.call({}, key, value)) as typeof reviver)
    try {
      expect(() => readBodyTree('{"amount":0.1}')).toThrow(NumbersNotExact)
      expect(() => readBodyTree('{"amount":0.1}')).toThrow(/Use Node 22, .*Firefox 135, Safari 18\.4/)
      const answer = readBodyTree("{")
      expect(Result.isFailure(answer) && answer.failure).toBeInstanceOf(SyntaxError)
    } finally {
      JSON.parse = parse
    }
  })
})

describe("A body is looked at member by member, whatever it is", () => {
  const body = { items: [{ name: "Хлеб" }], name: "x", none: null }

  it("a list that is none is empty", () => {
    for (const node of [body, [], "items", null]) expect(listMember(node, "name")).toEqual([])
    expect(listMember(body, "items")).toEqual(body.items)
  })

  it("a place is found by names in objects and by positions in lists, and by nothing else", () => {
    expect(nodeAt(body, [])).toBe(body)
    expect(nodeAt(body, ["items", 0, "name"])).toBe("Хлеб")
    expect(nodeAt(body, ["none"])).toBeNull()
    for (const path of [["items", "length"], ["items", "0"], ["items", 1], ["name", "length"], ["name", 0], ["toString"], ["none", "x"], [0]]) {
      expect(nodeAt(body, path)).toBeUndefined()
    }
    expect(nodeAt({ 0: "x" }, [0])).toBeUndefined()
  })

  it("objects made without a prototype are objects; those of a class are none", () => {
    expect(member(Object.assign(Object.create(null) as object, { a: 1 }), "a")).toBe(1)
    expect(member(new Map([["size", 1]]), "size")).toBeUndefined()
    expect(member(new Error("text"), "message")).toBeUndefined()
  })
})
