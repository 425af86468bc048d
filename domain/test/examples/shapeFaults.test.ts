import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { saleBody } from "../arbitraries/SaleBody.ts"
import { requestDecoder, shapeDecoder } from "../../src/requests/decodeRequest.ts"
import { keyOf, mostFaults, pointerOf } from "../../src/requests/Fault.ts"
import { decodeFiscalDocumentRequest } from "../../src/requests/FiscalDocumentRequest.ts"

/** Pointer and message of every fault of a body with this one member. */
const faultsOf = (field: Schema.ConstraintDecoder<unknown>, value: unknown): ReadonlyArray<string> => {
  const read = requestDecoder(Schema.Struct({ field }))({ field: value })
  return Result.isFailure(read) ? read.failure.faults.map(({ message, pointer }) => `${pointer} ${message}`) : []
}

describe("What a member must be is said in words", () => {
  const either = Schema.Union([Schema.Struct({ name: Schema.String, source: Schema.Literal("A") }), Schema.Struct({ kind: Schema.Literal("B") })])

  it.each([
    ["true or false", Schema.Boolean, 1, "/field must be true or false"],
    ["a kind without a name", Schema.Finite, "x", "/field must be of another kind"],
    ["one of some texts, or null", Schema.Union([Schema.Literal("a"), Schema.Literal("b"), Schema.Null]), "c", "/field must be one of a, b"],
    ["a form without a message", Schema.String.check(Schema.makeFilter(() => false)), "x", "/field is not valid"],
    ["one of two kinds, and not both", Schema.Union([Schema.String, Schema.NonEmptyString], { mode: "oneOf" }), "x", "/field is not valid"],
    ["an object of some source, not a text", either, "x", "/field must be an object"],
    ["an object of some source, not another one", either, { source: "C", kind: "D" }, "/field/source must be A"]
  ] as const)("%s", (_what, field, value, fault) => {
    expect(faultsOf(field, value)).toEqual([fault])
  })
})

describe("The faults of a body are at most as many as are reported", () => {
  it("of its members", () => {
    const body = Object.fromEntries(Array.from({ length: mostFaults + 500 }, (_, at) => [`m${at}`, 1]))
    const read = shapeDecoder(Schema.Struct({ m0: Schema.Finite }))(body)
    expect(Result.isFailure(read) ? read.failure.length : 0).toBe(mostFaults)
  })

  it("of a long list: it is not read further than to the last of them", () => {
    const decode = shapeDecoder(Schema.Struct({ items: Schema.Array(Schema.Struct({ one: Schema.String, other: Schema.String })) }))
    const read = decode({ items: Array.from({ length: 700 }, () => ({})) })
    expect(Result.isFailure(read) ? read.failure.length : 0).toBe(mostFaults)
  })

  it("of metadata far above its limit: those of the first two hundred members", () => {
    const metadata = (count: number, wrongAt: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, at === wrongAt ? [] : "x"]))
    const pointersOf = (count: number, wrongAt: number) => {
      const read = decodeFiscalDocumentRequest({ ...saleBody, metadata: metadata(count, wrongAt) }, { environment: "production" })
      return Result.isFailure(read) ? read.failure.faults.map(({ pointer }) => pointer) : []
    }
    expect([pointersOf(250, 199), pointersOf(250, 200)]).toEqual([["/metadata", "/metadata/m199"], ["/metadata"]])
  })
})

describe("A place in a body", () => {
  it("is named with at most 256 characters of each name", () => {
    expect(pointerOf(["a".repeat(256), "b".repeat(257), 7])).toBe(`/${"a".repeat(256)}/${"b".repeat(256)}/7`)
    expect(keyOf(["b".repeat(257), 7])).toBe(`B${"b".repeat(255)}`)
  })
})
