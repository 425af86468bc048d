import { Result } from "effect"
import * as fc from "fast-check"
import { bindKey, canonicalContent, canonicalRuleVersion, fingerprint } from "../../src/idempotency/boundKey.ts"
import { replayDecision } from "../../src/idempotency/replayDecision.ts"
import type { BoundKey } from "../../src/operations/Operation.ts"
import { bodyOf, readBodyTree } from "../../src/requests/bodyTree.ts"
import { rule } from "./ruleBook.ts"

const target = "POST /v1/fiscal-documents"
const tree = (text: string): unknown => Result.getOrThrow(readBodyTree(text))
const canonical = (text: string): string => canonicalContent(target, tree(text))

/** JSON objects of plain members, without names that have rules of their own. */
const plainBody = fc.dictionary(
  fc.stringMatching(/^[a-z]{1,6}$/),
  fc.oneof(fc.integer(), fc.string({ maxLength: 8 }), fc.boolean(), fc.array(fc.integer(), { maxLength: 3 })),
  { minKeys: 1, maxKeys: 6 }
)

const reversed = (body: Readonly<Record<string, unknown>>) => Object.fromEntries(Object.entries(body).reverse())

rule("CANONICAL-1", {
  says: "White space and the order of members make no difference.",
  source: "Decisions §3; docs/idempotency.md, rules 3 and 4"
}, ({ holds }) => {
  holds("for any body", { body: plainBody }, ({ body }) =>
    canonical(JSON.stringify(body)) === canonical(JSON.stringify(reversed(body), null, 2)))
})

rule("CANONICAL-2", {
  says: "A number is the decimal it writes: 1, 1.0 and 10e-1 are one, and none of them is the text 1.",
  source: "Decisions §3; docs/idempotency.md, rule 5"
}, ({ holdsForEvery, holds }) => {
  holdsForEvery("spellings of one number", [["1", "1.0"], ["1", "10e-1"], ["0.30", "3E-1"], ["0", "-0.00"], ["99999999999.999", "99999999999.9990"]],
    ([one, other]) => canonical(`{"a":${one}}`) === canonical(`{"a":${other}}`))
  holds("different numbers differ", { one: fc.integer(), other: fc.integer() },
    ({ one, other }) => (canonical(`{"a":${one}}`) === canonical(`{"a":${other}}`)) === (Object.is(one, other) || one === other))
  holdsForEvery("a number is not a text", [["1", "\"1\""], ["true", "\"true\""]], ([one, other]) => canonical(`{"a":${one}}`) !== canonical(`{"a":${other}}`))
})

rule("CANONICAL-3", {
  says: "Absent and null are one, outside metadata; so is an object that says nothing.",
  source: "Decisions §1, null; Decisions §3; docs/idempotency.md, rule 6"
}, ({ holds, holdsForEvery }) => {
  holds("null members vanish wherever they stand", { body: plainBody, name: fc.stringMatching(/^[A-Z]{1,4}$/) },
    ({ body, name }) => canonical(JSON.stringify(body)) === canonical(JSON.stringify({ ...body, [name]: null })))
  holdsForEvery("in nested objects too", [["{\"a\":1,\"buyer\":{\"id\":null}}", "{\"a\":1}"], ["{\"a\":1,\"items\":[{\"b\":1,\"gtin\":null}]}", "{\"a\":1,\"items\":[{\"b\":1}]}"]],
    ([one = "", other = ""]) => canonical(one) === canonical(other))
  holdsForEvery("a null in metadata is the caller's own", ["{\"metadata\":{\"a\":null,\"b\":1}}"],
    (body) => canonical(body) !== canonical("{\"metadata\":{\"b\":1}}"))
})

rule("CANONICAL-4", {
  says: "An instant is one, whatever offset and trailing zeros it is written with; elsewhere such a text is only a text.",
  source: "Decisions §3; docs/idempotency.md, rule 7"
}, ({ holdsForEvery }) => {
  const field = (name: string, text: string) => canonical(JSON.stringify({ [name]: text }))
  holdsForEvery("in each date-time field", ["transactionOccurredAt", "paymentOccurredAt", "pfrTime", "documentTime"], (name) =>
    field(name, "2026-08-29T12:30:00+02:00") === field(name, "2026-08-29T10:30:00.000Z") &&
    field(name, "2026-08-29T12:30:00.4551405+02:00") === field(name, "2026-08-29T05:30:00.45514050-05:00") &&
    field(name, "2026-08-29T12:30:00.4551405+02:00") !== field(name, "2026-08-29T12:30:00.4551406+02:00"))
  holdsForEvery("not in a name or in metadata", ["name"], (name) =>
    field(name, "2026-08-29T12:30:00+02:00") !== field(name, "2026-08-29T10:30:00Z") &&
    canonical("{\"metadata\":{\"pfrTime\":\"2026-08-29T12:30:00+02:00\"}}") !== canonical("{\"metadata\":{\"pfrTime\":\"2026-08-29T10:30:00Z\"}}"))
})

rule("CANONICAL-5", {
  says: "Texts are taken literally, code point for code point; lists keep their order; identifiers are one in either case.",
  source: "Decisions §1; Decisions §3; docs/idempotency.md, rules 2, 8, 9 and 10"
}, ({ holds, holdsForEvery }) => {
  holds("different texts differ", { one: fc.string({ maxLength: 4 }), other: fc.string({ maxLength: 4 }) }, ({ one, other }) =>
    (canonical(JSON.stringify({ a: one })) === canonical(JSON.stringify({ a: other }))) === (one === other))
  holdsForEvery("composed and decomposed, Latin and Cyrillic, with and without a blank", [["é", "e\u0301"], ["E", "Е"], ["a", "a "]],
    ([one, other]) => canonical(JSON.stringify({ a: one })) !== canonical(JSON.stringify({ a: other })))
  holdsForEvery("escapes are spelling, not content", [["\"\\u0415\"", "\"Е\""], ["\"\\/\"", "\"/\""]], ([one, other]) => canonical(`{"a":${one}}`) === canonical(`{"a":${other}}`))
  holdsForEvery("the order of a list counts", [["[1,2]", "[2,1]"]], ([one, other]) => canonical(`{"a":${one}}`) !== canonical(`{"a":${other}}`))
  holdsForEvery("identifiers", ["taxpayerId", "businessPremiseId", "fiscalDocumentId", "advanceSaleId", "catalogProductId"], (name) =>
    canonical(JSON.stringify({ [name]: "0190ABCD-0000-7000-8000-00000000000F" })) === canonical(JSON.stringify({ [name]: "0190abcd-0000-7000-8000-00000000000f" })))
})

rule("CANONICAL-6", {
  says: "Method and path belong to the content.",
  source: "Decisions §3; docs/idempotency.md, rule 2"
}, ({ holdsForEvery }) => {
  const copyOf = (id: string) => canonicalContent(`POST /v1/fiscal-documents/${id}/copies`, tree("{}"))
  holdsForEvery("another path, another parameter", ["01900003-0000-7000-8000-000000000002"], (other) =>
    copyOf("01900003-0000-7000-8000-00000000000a") !== copyOf(other) &&
    copyOf("01900003-0000-7000-8000-00000000000a") === copyOf("01900003-0000-7000-8000-00000000000A"))
})

rule("CANONICAL-7", {
  says: "The canonical text of a whole request, letter by letter.",
  source: "docs/idempotency.md, rules 2 to 11"
}, ({ holdsForEvery }) => {
  const body = JSON.stringify({
    taxpayerId: "0190ABCD-0000-7000-8000-00000000000F",
    invoiceType: "COPY",
    items: [{ quantity: 1.5, name: "Хлеб \"бели\"", taxLabels: ["Ђ"], gtin: null }],
    buyer: {},
    metadata: { "a b": null, gift: true, at: "2026-08-29T12:30:00+02:00", taxpayerId: "ABC" },
    reference: { pfrTime: "2026-08-29T12:30:00.50+02:00", source: "EXTERNAL" },
    paymentOccurredAt: "not a time",
    "2": [null, false, { b: 1, a: null }]
  })
  const expected = `POST /v1/fiscal-documents/0190abcd-0000-7000-8000-00000000000f/copies
{"2":[null,false,{"b":1}],"invoiceType":"COPY","items":[{"name":"Хлеб \\"бели\\"","quantity":1.5,"taxLabels":["Ђ"]}],` +
    `"metadata":{"a b":null,"at":"2026-08-29T12:30:00+02:00","gift":true,"taxpayerId":"ABC"},"paymentOccurredAt":"not a time",` +
    `"reference":{"pfrTime":"2026-08-29T10:30:00.5Z","source":"EXTERNAL"},"taxpayerId":"0190abcd-0000-7000-8000-00000000000f"}`
  holdsForEvery("with every rule in it", [body],
    (text) => canonicalContent("POST /v1/fiscal-documents/0190ABCD-0000-7000-8000-00000000000F/copies", tree(text)) === expected)
  holdsForEvery("an empty body, an empty object and null are the same nothing", ["{}", "null", "{\"a\":null}"], (text) => canonical(text) === `${target}\nnull`)
  holdsForEvery("a number no reader takes is not taken for the one it resembles", ["{\"a\":0.1234567890123456}"],
    (text) => canonical(text) === `${target}\n{"a":#0.1234567890123456}`)
})

const bound = (body: string, fields: Partial<BoundKey> = {}): BoundKey => ({
  role: "REQUEST",
  key: "key-0123456789abcdef",
  target,
  body,
  fingerprint: fingerprint(target, tree(body)),
  ...fields
})

const decide = (existing: BoundKey, presented: BoundKey, environments: readonly ["sandbox" | "production", "sandbox" | "production"] = ["sandbox", "sandbox"]) =>
  replayDecision({ existing, environment: environments[0] }, { presented, environment: environments[1] })

rule("IDEMPOTENCY-1", {
  says: "A key answers the request it is bound to, in any spelling, and refuses any other content.",
  source: "Spec, Limits; Decisions §3",
  proves: ["IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST"]
}, ({ holds }) => {
  holds("the same content in another spelling is the same request", { body: plainBody }, ({ body }) =>
    decide(bound(JSON.stringify(body)), bound(JSON.stringify(reversed(body), null, 1))) === "SAME")
  holds("other content is another request", { body: plainBody, more: fc.integer() }, ({ body, more }) =>
    decide(bound(JSON.stringify(body)), bound(JSON.stringify({ ...body, MORE: more }))) === "DIFFERENT")
  holds("data that never was a text is the same request as its text, also by the text that is kept of it", { body: plainBody }, ({ body }) => {
    const kept = bindKey({ key: "key-0123456789abcdef", target, body: bodyOf(body) })
    return decide(bound(JSON.stringify(body)), kept) === "SAME" && decide(kept, bound(kept.body)) === "SAME"
  })
  holds("the same body for another operation is another request", { body: plainBody }, ({ body }) => {
    const text = JSON.stringify(body)
    const elsewhere = "POST /v1/refund-workflows"
    return decide(bound(text), bound(text, { target: elsewhere, fingerprint: fingerprint(elsewhere, tree(text)) })) === "DIFFERENT"
  })
})

rule("IDEMPOTENCY-2", {
  says: "A key of the other environment is refused as such, whatever the content.",
  source: "Spec, Authentication 7; Decisions §3",
  proves: ["IDEMPOTENCY_KEY_REUSED_IN_OTHER_ENVIRONMENT"]
}, ({ holds }) => {
  holds("either way round, same content or not", { one: plainBody, other: plainBody, production: fc.boolean() }, ({ one, other, production }) =>
    decide(bound(JSON.stringify(one)), bound(JSON.stringify(other)), production ? ["production", "sandbox"] : ["sandbox", "production"]) === "OTHER_ENVIRONMENT")
})

rule("IDEMPOTENCY-3", {
  says: "A retry across an upgrade of the canonical rules does not conflict: the stored body is judged by today's rules.",
  source: "Decisions §3"
}, ({ holds, holdsForEvery }) => {
  const older = { version: canonicalRuleVersion - 1, digest: "0".repeat(64) }
  holds("the same content is the same, other content is not", { body: plainBody, more: fc.integer() }, ({ body, more }) => {
    const stored = bound(JSON.stringify(body), { fingerprint: older })
    return decide(stored, bound(JSON.stringify(reversed(body)))) === "SAME" &&
      decide(stored, bound(JSON.stringify({ ...body, MORE: more }))) === "DIFFERENT"
  })
  holdsForEvery("under today's rules the stored fingerprint alone decides; the body is not read again", ["{\"a\":1}"], (body) =>
    decide(bound(body, { body: "unreadable" }), bound(body)) === "SAME")
  holds("a stored body that cannot be read is never taken for the same", { body: plainBody }, ({ body }) =>
    decide(bound("{}", { body: "{\"a\":", fingerprint: older }), bound(JSON.stringify(body))) === "DIFFERENT")
})

rule("IDEMPOTENCY-4", {
  says: "A fingerprint is the SHA-256 of the canonical content, with the version of its rules.",
  source: "Decisions §3"
}, ({ holdsForEvery }) => {
  // Computed independently of this code: printf 'POST /v1/fiscal-documents\n{"a":1}' | sha256sum
  const known = "d17594f8d6b53ce58c86881a8a8c0a5f982115663adb0dbbfbe528d72f274b82"
  holdsForEvery("a known body has the digest any SHA-256 gives, in any spelling", ["{\"a\":1}", "{ \"a\" : 1.0, \"b\": null }"], (body) => {
    const { digest, version } = fingerprint(target, tree(body))
    return version === canonicalRuleVersion && digest === known
  })
})
