import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { BigDecimal, Option, Result } from "effect"
import { formatDecimal } from "../money/decimals.ts"
import type { BoundKey } from "../operations/Operation.ts"
import type { Fault } from "../requests/Fault.ts"
import { canonicalInstant } from "../requests/RequestTime.ts"
import { isObject, UnrepresentableNumber } from "../requests/bodyTree.ts"

const form = /^[\x21-\x7E]{16,200}$/

/** The `Idempotency-Key` header: 16 to 200 visible ASCII characters, taken literally (Spec, Limits; Decisions §1). */
export const decodeIdempotencyKey = (header: string | undefined): Result.Result<string, Fault> => {
  if (header === undefined || header === "") return Result.fail(keyFault("is required on this operation"))
  return form.test(header) ? Result.succeed(header) : Result.fail(keyFault("must be 16 to 200 visible ASCII characters"))
}

const keyFault = (message: string): Fault => ({ pointer: "", key: "IdempotencyKey", message })

/** A request whose key is to be bound to it. */
export interface RequestToBind {
  readonly key: string
  /** Method and path with its parameters, e.g. `POST /v1/fiscal-documents`. */
  readonly target: string
  /** The body as a tree with decimals for numbers. */
  readonly body: unknown
  /** The body as received. Where it was never a text, its canonical text is kept. */
  readonly received?: string
}

/**
 * A caller's key, bound to method, path and canonical content (Decisions §3). It is computed for every request: a host that has a faster SHA-256 (in
 * hex, of a text's UTF-8) than the portable one hands it over.
 */
export const bindKey = (request: RequestToBind, sha256Of: (text: string) => string = portableSha256): BoundKey => {
  const canonical = canonicalContent(request.target, request.body)
  return {
    role: "REQUEST",
    key: request.key,
    target: request.target,
    body: request.received ?? canonical.slice(canonical.indexOf("\n") + 1),
    fingerprint: { version: canonicalRuleVersion, digest: sha256Of(canonical) }
  }
}

/** The version of the rules below. Any change to a canonical text raises it (Decisions §3; docs/idempotency.md). */
export const canonicalRuleVersion = 1

const instantFields = new Set(["transactionOccurredAt", "paymentOccurredAt", "pfrTime", "documentTime"])
const identifierFields = new Set([
  "taxpayerId",
  "businessPremiseId",
  "fiscalDocumentId",
  "advanceSaleId",
  "catalogProductId"
])

const uuids = /[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/g

/**
 * The canonical text of a request: equal for all spellings of the same content, by the numbered rules of docs/idempotency.md.
 *
 * @param target Method and path with its parameters, e.g. `POST /v1/fiscal-documents`.
 * @param body The JSON tree with decimals for numbers.
 * @example canonicalContent("POST /v1/x", { b: null, a: "1" }) // 'POST /v1/x\n{"a":"1"}'
 */
export const canonicalContent = (target: string, body: unknown): string =>
  `${target.replaceAll(uuids, (uuid) => uuid.toLowerCase())}\n${canonicalNode(body, undefined, false) ?? "null"}`

/** The text of a node; undefined when it counts as absent. `verbatim` inside metadata, whose members are the caller's own. */
const canonicalNode = (node: unknown, field: string | undefined, verbatim: boolean): string | undefined => {
  if (typeof node === "string") return quoted(verbatim ? node : canonicalText(node, field))
  if (BigDecimal.isBigDecimal(node)) return formatDecimal(node)
  if (Array.isArray(node)) return canonicalList(node, verbatim)
  if (isObject(node)) return canonicalObject(node, verbatim)
  if (typeof node === "boolean") return String(node)
  // Never occurs in an accepted body. The `#` keeps it different from every number.
  if (node instanceof UnrepresentableNumber) return `#${node.text}`
  return verbatim ? "null" : undefined
}

const canonicalText = (text: string, field: string | undefined): string => {
  if (field === undefined) return text
  if (identifierFields.has(field)) return text.toLowerCase()
  return instantFields.has(field) ? Option.getOrElse(canonicalInstant(text), () => text) : text
}

const canonicalList = (list: ReadonlyArray<unknown>, verbatim: boolean): string =>
  `[${list.map((element) => canonicalNode(element, undefined, verbatim) ?? "null").join(",")}]`

/** Text that JSON writes without escapes: nearly all text. Testing is faster than escaping. */
const plainText = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/

const quoted = (text: string): string => (plainText.test(text) ? `"${text}"` : JSON.stringify(text))

const canonicalObject = (node: Readonly<Record<string, unknown>>, verbatim: boolean): string | undefined => {
  let members = ""
  for (const name of Object.keys(node).sort()) {
    const text = canonicalNode(node[name], name, verbatim || name === "metadata")
    if (text !== undefined) members += `${members === "" ? "" : ","}${quoted(name)}:${text}`
  }
  return members === "" ? undefined : `{${members}}`
}

const encoder = new TextEncoder()

/** SHA-256 of a text's UTF-8, in hex: the portable one. */
export const portableSha256 = (text: string): string => bytesToHex(sha256(encoder.encode(text)))

/** SHA-256, in hex, of a request's canonical content, with the version of the rules that made it (Decisions §3). */
export const fingerprint = (
  target: string,
  body: unknown,
  sha256Of: (text: string) => string = portableSha256
): BoundKey["fingerprint"] => ({
  version: canonicalRuleVersion,
  digest: sha256Of(canonicalContent(target, body))
})
