import { CopyShape, FiscalDocumentShape, NewProductShape, ProductReplacementShape, RefundShape, TaxpayerRegistrationShape } from "@overa/domain"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { documentSchemas } from "../src/contract/documentSchemas.ts"
import { productSchemas } from "../src/contract/productSchemas.ts"
import { refundSchemas } from "../src/contract/refundSchemas.ts"
import { requestSchemas } from "../src/contract/requestSchemas.ts"

interface Node {
  readonly [keyword: string]: unknown
}

const declared: Readonly<Record<string, Node>> = { ...documentSchemas, ...requestSchemas, ...refundSchemas, ...productSchemas }

const nodes = (value: unknown): ReadonlyArray<Node> => (Array.isArray(value) ? value : []) as ReadonlyArray<Node>

/** The common part of both ways of writing a schema: references resolved, null ignored, numbers as numbers. */
const normal = (node: Node): unknown => {
  const named = node["$ref"]
  if (typeof named === "string") return normal(declared[named.split("/").at(-1) ?? ""] ?? {})
  const options = nodes(node["oneOf"] ?? node["anyOf"]).filter((option) => option["type"] !== "null")
  if (options.length === 1) return normal(options[0] ?? {})
  if (options.length > 1) return options.map(normal).sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
  const type = Array.isArray(node["type"]) ? node["type"].find((one) => one !== "null") : node["type"]
  if (type === "object" && node["properties"] !== undefined) {
    const properties = Object.entries(node["properties"] as Readonly<Record<string, Node>>)
    return {
      required: [...(node["required"] as ReadonlyArray<string> | undefined ?? [])].sort(),
      properties: Object.fromEntries(properties.sort(([a], [b]) => a.localeCompare(b)).map(([name, one]) => [name, normal(one)]))
    }
  }
  if (type === "array") {
    const { items, maxItems, minItems, uniqueItems } = node
    return { maxItems, minItems, uniqueItems, items: normal(items as Node) }
  }
  // A pattern says the length too; the decoder keeps both.
  if (node["pattern"] !== undefined && node["format"] === undefined) return { pattern: lengthsOf(node["pattern"]) }
  return { enum: node["enum"], maxLength: node["maxLength"], minLength: node["minLength"], format: node["format"] }
}

const lengthsOf = (pattern: unknown): string => String(pattern).replaceAll("\\d", "[0-9]")

/**
 * Where the contract tells callers more, or otherwise, than the decoder's shape: numbers' bounds and formats are the decoder's own
 * checks, free-form metadata and the one impossible field are described by hand.
 */
const freely = (path: string): boolean => /metadata|transactionOccurredAt|invoiceType$|pfrTime|pfrNumber|^RefundRequest.*optionalField/.test(path)

const differences = (path: string, ours: unknown, theirs: unknown): ReadonlyArray<string> => {
  if (freely(path)) return []
  if (typeof ours === "object" && ours !== null && typeof theirs === "object" && theirs !== null) {
    const names = new Set([...Object.keys(ours), ...Object.keys(theirs)])
    return [...names].flatMap((name) =>
      differences(`${path}.${name}`, (ours as Node)[name], (theirs as Node)[name]))
  }
  return ours === theirs ? [] : [`${path}: the contract says ${JSON.stringify(ours)}, the decoder ${JSON.stringify(theirs)}`]
}

describe("the contract's request schemas say what the decoders take", () => {
  it.each([
    ["FiscalDocumentRequest", FiscalDocumentShape],
    ["NewProduct", NewProductShape],
    ["ProductReplacement", ProductReplacementShape],
    ["CopyRequest", CopyShape],
    ["RefundRequest", RefundShape],
    ["TaxpayerRegistration", TaxpayerRegistrationShape]
  ] as const)("%s", (name, shape) => {
    const theirs = Schema.toJsonSchemaDocument(shape)
    expect(differences(name, normal(declared[name] ?? {}), normal(theirs.schema as Node))).toEqual([])
  })
})
