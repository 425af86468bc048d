import { DateTime, Result } from "effect"
import type { PlaceOfIssue } from "../../src/documents/composeContent.ts"
import { canonicalRuleVersion } from "../../src/idempotency/canonicalContent.ts"
import { fingerprint, portableSha256 } from "../../src/idempotency/fingerprint.ts"
import { checkpointText } from "../../src/journal-log/Checkpoint.ts"
import { type Erasure, erasureText } from "../../src/journal-log/ErasureNote.ts"
import { leafHash, rootOf } from "../../src/journal-log/merkle.ts"
import { base64Of } from "../../src/journal-log/signedNote.ts"
import { inclusionRanges } from "../../src/journal-log/treeProofs.ts"
import { readBodyTree } from "../../src/requests/readBodyTree.ts"
import { checkKept, type KeptKnowledge } from "../../src/restore/checkKept.ts"
import { type KeptFile, readKeptFile } from "../../src/restore/KeptFile.ts"
import { jidOf, type KeptPlace, planTakeBack, type TakeBack } from "../../src/restore/planTakeBack.ts"
import { OrganizationId, SecurityElementId, TaxpayerId } from "../../src/tenancy/identifiers.ts"
import { decodeVerificationLink } from "../../src/verification/decodeVerificationLink.ts"
import { noteKeyOf, signNote } from "../arbitraries/LogSigner.ts"
import { documentUuid, premiseUuid, taxpayerUuid } from "../arbitraries/SaleBody.ts"
import { signedLink, testSignerModulus } from "../arbitraries/SignedReceipt.ts"
import { saleAnswerText, saleLink, sandboxTin, signerModulus } from "../examples/verificationVectors.ts"
import { rule } from "./ruleBook.ts"

type Json = Readonly<Record<string, unknown>>

const tenant = { organizationId: OrganizationId.make("01900000-0000-7000-8000-000000000001"), environment: "sandbox" } as const
const path = "/v1/fiscal-documents"
const bodyOf = (given: Json = {}): string => JSON.stringify({
  taxpayerId: taxpayerUuid,
  businessPremiseId: premiseUuid,
  clientReference: "order-1",
  invoiceType: "NORMAL",
  transactionType: "SALE",
  cashier: { id: "123456789" },
  items: [{ name: "Sport-100 Helmet, Blue", unitOfMeasure: "kom", quantity: 2, unitPrice: 34.23, taxLabels: ["A"] }],
  payments: [{ type: "CASH", amount: 68.46 }],
  ...given
})
const body = bodyOf()
const requestOf = (received: string, method = "POST", at = path) => ({
  method,
  path: at,
  received,
  fingerprint: fingerprint(`${method} ${at}`, Result.getOrThrow(readBodyTree(received))).digest,
  fingerprintRule: canonicalRuleVersion
})

const log = { origin: "overa.example/journal/sandbox/1", name: "overa.example/journal", secret: new Uint8Array(32).fill(7) }
const utf8 = new TextEncoder()

/** The place of some leaves, after another document's leaf, as this installation's log proves it. */
const placeOf = (leaves: ReadonlyArray<Json>) => {
  const texts = [JSON.stringify({ documentId: "another" }), ...leaves.map((leaf) => JSON.stringify(leaf))]
  const hashes = texts.map((text) => leafHash(utf8.encode(text)))
  const inclusionOf = (index: number) => inclusionRanges(index, texts.length).map(({ end, start }) => base64Of(rootOf(hashes.slice(start, end))))
  return {
    origin: log.origin,
    checkpoint: signNote(checkpointText({ origin: log.origin, size: texts.length, root: rootOf(hashes) }), log.name, log.secret),
    entries: texts.map((leaf, index) => ({ index, leaf, inclusion: inclusionOf(index) })).slice(1)
  }
}
const leaf: Json = { ...tenant, documentId: documentUuid, request: portableSha256(body), to: "SUBMITTING" }
const pfr = { invoiceNumber: "YJLQTEQR-YJLQTEQR-11389", requestedBy: "YJLQTEQR", verificationUrl: saleLink }
const answerText = base64Of(utf8.encode(saleAnswerText))
const document = {
  id: documentUuid,
  taxpayerId: taxpayerUuid,
  businessPremiseId: premiseUuid,
  idempotencyKey: "key-0123456789abcdef",
  status: "OUTCOME_UNKNOWN",
  pfr: null,
  createdAt: "2023-06-06T11:21:13Z"
}
const attempt = { number: 1, requestId: "0123456789abcdef0123456789abcdef", jid: "YJLQTEQR", startedAt: "2023-06-06T11:21:14Z", outcome: null as string | null }
const proof = {
  version: 1,
  document: document as Json,
  request: requestOf(body),
  attempts: [attempt],
  transitions: [
    { from: "VALIDATED", to: "SUBMITTING", at: "2023-06-06T11:21:14Z", cause: "reserved", actor: "worker:w", attempt: 1 },
    { from: null, to: "RECEIVED", at: "2023-06-06T11:21:13Z", cause: "received", actor: "api:svc-1", attempt: 0 }
  ],
  answer: null as { readonly text: string } | null,
  journal: placeOf([leaf]) as ReturnType<typeof placeOf> | null
}
const signed = {
  ...proof,
  document: { ...document, status: "FISCALIZED", pfr },
  attempts: [{ ...attempt, outcome: "NO_ANSWER" }, { ...attempt, requestId: "f".repeat(32), outcome: "SIGNED" }, { ...attempt, outcome: "NOT_SENT" }],
  answer: { text: answerText },
  journal: placeOf([{ ...leaf, to: "FISCALIZED", answer: portableSha256(saleAnswerText), invoiceNumber: pfr.invoiceNumber }])
}

/** The official example without its buyer, whom no valid request can name, signed again with the key of the tests. */
const exampleLink = Result.getOrThrow(decodeVerificationLink(saleLink))
const ownLink = signedLink({ ...exampleLink, buyerId: null }, sandboxTin)
const ownAnswerText = saleAnswerText.replace(saleLink, ownLink)
const receipt = {
  ...signed,
  document: { ...signed.document, pfr: { ...pfr, verificationUrl: ownLink } },
  answer: { text: base64Of(utf8.encode(ownAnswerText)) },
  journal: placeOf([{ ...leaf, to: "FISCALIZED", answer: portableSha256(ownAnswerText), invoiceNumber: pfr.invoiceNumber }]) as ReturnType<typeof placeOf> | null
}

const knowledge: KeptKnowledge = {
  tenant,
  signers: [{ name: "sandbox", modulus: signerModulus }, { name: "tests", modulus: testSignerModulus }],
  log: { origin: log.origin, keys: [noteKeyOf(log.name, log.secret)] }
}
const unsigned: KeptKnowledge = { ...knowledge, signers: [] }
const issuing: PlaceOfIssue = { settings: { esirNumber: "1/1" }, found: { preferredPaperFormat: "80mm", brandingId: null } }
const element = { id: SecurityElementId.make("01900005-0000-7000-8000-000000000001"), jid: "YJLQTEQR", taxpayerId: TaxpayerId.make(taxpayerUuid), tin: sandboxTin }
const place: KeptPlace = { element, issuing }

const fileOf = (value: unknown): KeptFile => {
  const kept = readKeptFile(value)
  if (kept === null) throw new Error("no kept file")
  return kept
}
const planOf = (value: unknown, known = knowledge, at = place) => planTakeBack(fileOf(value), at, known)
const taken = (value: unknown, known = knowledge, at = place): TakeBack | null => Result.getOrNull(planOf(value, known, at))
const reasonsOf = (value: unknown, known = knowledge, at = place): string => {
  const plan = planOf(value, known, at)
  return Result.isFailure(plan) ? plan.failure.reasons.join("; ") : ""
}

rule("TAKEBACK-1", {
  says: "Of a proven sale with one attempt to search for, the first commit is taken back as it was, to be searched at the V-PFR; nothing else of the file is stored.",
  source: "Decisions §15"
}, ({ holdsForEvery }) => {
  holdsForEvery("an unknown outcome, in each of its statuses", ["SUBMITTING", "OUTCOME_UNKNOWN", "RECONCILING"], (status) => {
    const plan = taken({ ...proof, document: { ...document, status } })
    if (plan?._tag !== "Operation") return false
    const { attempt: tried, operation, transitions } = plan
    return operation.status === "SUBMITTING" && operation.attempt === 1 && operation.answer === null && operation.id === documentUuid && operation.environment === "sandbox" &&
      operation.boundKey.key === "key-0123456789abcdef" && operation.boundKey.target === `POST ${path}` && operation.boundKey.body === body &&
      operation.boundKey.fingerprint.version === canonicalRuleVersion && operation.boundKey.fingerprint.digest === proof.request.fingerprint &&
      operation.content.invoiceType === "NORMAL" && operation.content.transactionType === "SALE" && operation.content.items.length === 1 && operation.content.esirNumber === "1/1" &&
      tried.requestId === attempt.requestId && tried.elementId === element.id && tried.outcome === null && tried.number === 1 && tried.operationId === documentUuid &&
      transitions.map(({ actor, attempt: of, cause, from, to }) => `${from} ${to} ${cause} ${actor} ${of}`).join() ===
        "null RECEIVED received api:svc-1 0,RECEIVED VALIDATED validated api:svc-1 0,VALIDATED SUBMITTING reserved api:svc-1 1" &&
      transitions.map(({ at }) => DateTime.formatIso(at)).join() === "2023-06-06T11:21:13.000Z,2023-06-06T11:21:13.000Z,2023-06-06T11:21:14.000Z"
  })
  holdsForEvery("an answer beside an unknown outcome is not read", [base64Of(utf8.encode("{}"))], (text) => taken({ ...proof, answer: { text } })?._tag === "Operation")
  const receipts = [
    { value: receipt, known: knowledge },
    { value: { ...receipt, journal: null }, known: knowledge },
    { value: receipt, known: unsigned }
  ]
  holdsForEvery("a receipt, proven by its signature or by the log: the attempt that was signed, without its outcome", receipts, ({ known, value }) => {
    const plan = taken(value, known)
    return plan?._tag === "Operation" && plan.attempt.requestId === "f".repeat(32) && plan.attempt.outcome === null && plan.attempt.number === 1 &&
      plan.operation.id === documentUuid && plan.operation.status === "SUBMITTING" && plan.operation.answer === null && plan.operation.attempt === 1 &&
      plan.operation.boundKey.body === body && plan.operation.boundKey.key === "key-0123456789abcdef" && plan.transitions.at(-1)?.to === "SUBMITTING"
  })
  const unanswered = ["a", "b", "c"].map((letter) => ({ ...attempt, requestId: letter.repeat(32), outcome: "NO_ANSWER" }))
  holdsForEvery("a receipt of which no attempt says that it was signed, by the last attempt", [unanswered], (attempts) => {
    const plan = taken({ ...receipt, attempts })
    return plan?._tag === "Operation" && plan.attempt.requestId === "c".repeat(32)
  })
  holdsForEvery("whose reception nobody recorded", [[]], (transitions) => {
    const plan = taken({ ...proof, transitions })
    return plan?._tag === "Operation" && plan.transitions.every(({ actor }) => actor === "api:restored")
  })
})

rule("TAKEBACK-2", {
  says: "Where it is not clear what to search for, only the key is taken back; a rejected document frees it.",
  source: "Decisions §15"
}, ({ holdsForEvery }) => {
  const others = [
    { ...proof, attempts: [] },
    { ...proof, attempts: [attempt, attempt] },
    { ...proof, document: { ...document, status: "NOT_FISCALIZED" } },
    { ...proof, request: requestOf(body, "PUT") },
    { ...proof, request: requestOf(body, "POST", "/v1/refunds") },
    ...[bodyOf({ items: [] }), bodyOf({ taxpayerId: premiseUuid }), bodyOf({ businessPremiseId: taxpayerUuid })]
      .map((received) => ({ ...proof, request: requestOf(received), journal: placeOf([{ ...leaf, request: portableSha256(received) }]) }))
  ]
  holdsForEvery("no attempt, two of them, another status or another request", others, (value) => {
    const plan = taken(value)
    return plan?._tag === "Key" && plan.owner.id === documentUuid && plan.owner.organizationId === tenant.organizationId && plan.owner.environment === "sandbox" &&
      plan.owner.boundKey.key === "key-0123456789abcdef" && plan.owner.boundKey.role === "REQUEST" && plan.owner.boundKey.body === "" &&
      plan.owner.boundKey.target === "restored" && plan.owner.boundKey.fingerprint.version === 0
  })
  holdsForEvery("the answer to a request, without its proof", [{ ...document, status: "FISCALIZED", pfr }], (value) => {
    const plan = taken(value)
    return plan?._tag === "Key" && plan.owner.boundKey.target === "restored" && plan.owner.boundKey.key === "key-0123456789abcdef" && plan.tried === null
  })
  const statuses = [["FISCALIZED", true], ["SUBMITTING", true], ["OUTCOME_UNKNOWN", true], ["RECONCILING", true], ["NOT_FISCALIZED", false], ["VALIDATED", false]] as const
  const mayBeSigned = (plan: TakeBack | null): boolean | null => (plan?._tag === "Key" ? plan.mayBeSigned : null)
  holdsForEvery("whether there may be a receipt, by the status", statuses, ([status, may]) => mayBeSigned(taken({ ...document, status, pfr })) === may)
  const refunds = requestOf(body, "POST", "/v1/refunds")
  const tried: ReadonlyArray<readonly [unknown, string]> = [
    [{ ...proof, request: refunds }, attempt.requestId],
    [{ ...receipt, request: refunds }, "f".repeat(32)],
    [{ ...receipt, request: refunds, attempts: [{ ...attempt, jid: "ANOTHER1" }] }, ""],
    [{ ...proof, request: refunds, attempts: [] }, ""]
  ]
  holdsForEvery("the attempt to search for, where the file names it and it was made with the tenant's element", tried, ([value, requestId]) => {
    const plan = taken(value)
    if (plan?._tag !== "Key" || plan.tried === null) return plan?._tag === "Key" && requestId === ""
    const { attempt: { elementId, operationId, ...found }, fingerprint: digest } = plan.tried
    return found.requestId === requestId && elementId === element.id && operationId === documentUuid && found.outcome === null && digest === refunds.fingerprint
  })
  holdsForEvery("a rejected document, proven or not", [{ ...proof, document: { ...document, status: "REJECTED" } }, { ...document, status: "REJECTED" }], (value) =>
    taken(value)?._tag === "Nothing")
})

rule("TAKEBACK-3", {
  says: "A file is refused where nothing but its own word proves it, or anything in it contradicts the log, the V-PFR's signature or itself.",
  source: "Decisions §15"
}, ({ holdsForEvery }) => {
  const nobody = "nothing but the file's own word speaks for it"
  const stranger = "the organization has no such element"
  const [entry] = proof.journal?.entries ?? []
  const withLeaf = (given: Json) => ({ ...proof, journal: placeOf([{ ...leaf, ...given }]) })
  const sealedFaults: ReadonlyArray<readonly [unknown, string]> = [
    [withLeaf({ organizationId: "another" }), "the sealed organization is another"],
    [withLeaf({ environment: "production" }), "the sealed environment is another"],
    [withLeaf({ documentId: "another" }), "the sealed document is another"],
    [withLeaf({ request: portableSha256("{}") }), "the sealed request is another"],
    [{ ...signed, journal: placeOf([{ ...leaf, to: "FISCALIZED", answer: null, invoiceNumber: pfr.invoiceNumber }]) }, "the sealed answer is another"],
    [{ ...signed, journal: placeOf([{ ...leaf, to: "FISCALIZED", answer: portableSha256(saleAnswerText), invoiceNumber: "A-A-1" }]) }, "the sealed number is another"],
    [{ ...proof, journal: { ...placeOf([leaf]), origin: "another" } }, "its place is in the log of another organization, environment or installation"],
    [{ ...proof, journal: { ...placeOf([leaf]), checkpoint: signNote("x\n1\n\n", log.name, log.secret) } }, "its checkpoint is not signed by a key of this installation"],
    [{ ...proof, journal: { ...placeOf([leaf]), entries: [{ ...entry, index: 0 }] } }, "entry 0 is not in the checkpoint's tree"],
    [{ ...proof, journal: { ...placeOf([leaf]), entries: [{ ...entry, inclusion: [...(entry?.inclusion ?? []), base64Of(new Uint8Array(32))] }] } }, "entry 1 is not in the checkpoint's tree"],
    [{ ...proof, journal: { ...placeOf([leaf]), entries: [{ ...entry, inclusion: [...(entry?.inclusion ?? []), "%"] }] } }, "entry 1 has a hash that is not base64"],
    [{ ...proof, journal: { ...placeOf([leaf]), entries: [{ ...entry, inclusion: ["%"] }] } }, "entry 1 has a hash that is not base64"]
  ]
  holdsForEvery("what the log says", sealedFaults, ([value, reason]) => reasonsOf(value) === reason)
  holdsForEvery("and no place in the log proves such a file", sealedFaults, ([value]) => !checkKept(fileOf(value), element.tin, knowledge).isProven)
  holdsForEvery("a leaf that is no JSON object", ["null", "[", "7"], (text) => {
    const hash = leafHash(utf8.encode(text))
    const checkpoint = signNote(checkpointText({ origin: log.origin, size: 1, root: hash }), log.name, log.secret)
    return reasonsOf({ ...proof, journal: { origin: log.origin, checkpoint, entries: [{ index: 0, leaf: text, inclusion: [] }] } }).startsWith("the sealed organization is another; ")
  })
  const marked = `\uFEFF${saleAnswerText}`
  /** The receipt, as if it were that of another request. */
  const soldFor = (received: string) => ({ ...receipt, request: requestOf(received), journal: null })
  const receiptLeaf = { ...leaf, to: "FISCALIZED", invoiceNumber: pfr.invoiceNumber }
  const own: ReadonlyArray<readonly [unknown, string]> = [
    [{ ...proof, request: { ...proof.request, received: "{" } }, "the request cannot be read; the sealed request is another"],
    [{ ...proof, request: { ...proof.request, fingerprint: "0" } }, "the fingerprint is not that of the request"],
    [{ ...signed, document: { ...signed.document, pfr: { ...pfr, verificationUrl: "https://x.example/" } } }, "the verification link cannot be read"],
    [{ ...signed, document: { ...signed.document, pfr: { ...pfr, invoiceNumber: "A-A-1" } } }, "the link is that of YJLQTEQR-YJLQTEQR-11389"],
    [{ ...signed, document: { ...signed.document, pfr: { ...pfr, verificationUrl: saleLink.replace("OGAABy", "OGAABz").replace("DhyCg", "DhyCh") } } }, "the verification link is damaged"],
    [{ ...signed, answer: null, journal: null }, "the V-PFR's answer is missing or is not base64"],
    [{ ...signed, answer: { text: "%" }, journal: null }, "the V-PFR's answer is missing or is not base64"],
    [{ ...signed, answer: { text: base64Of(utf8.encode("{}")) }, journal: null }, "the V-PFR's answer cannot be read"],
    [{ ...signed, answer: { text: base64Of(utf8.encode(saleAnswerText.replaceAll("-11389", "-11388"))) }, journal: null }, "the document has another number than the V-PFR's answer"],
    [{ ...signed, document: { ...signed.document, pfr: null }, journal: placeOf([leaf]) }, "the document has another number than the V-PFR's answer"],
    [{ ...signed, answer: { text: base64Of(utf8.encode(marked)) }, journal: placeOf([{ ...receiptLeaf, answer: portableSha256(marked) }]) }, "buyerId of the link"],
    [signed, "buyerId of the link is RS34564565, sent was none"],
    [soldFor(bodyOf({ items: [{ name: "Helmet", unitOfMeasure: "kom", quantity: 1, unitPrice: 68.45, taxLabels: ["A"] }], payments: [{ type: "CASH", amount: 68.45 }] })),
      "totalAmount of the answer is 68.46, sent was 68.45"],
    [soldFor(bodyOf({ buyer: { id: "20:123456789" } })), "buyerId of the link is none, sent was 20:123456789"],
    [{ ...receipt, attempts: [{ ...attempt, outcome: "SIGNED", startedAt: "2023-06-06T11:26:16Z" }] }, "sdcTime 2023-06-06T13:21:15.504282+02:00 lies more than five minutes before"]
  ]
  holdsForEvery("what the file says of itself", own, ([value, reason]) => reasonsOf(value).startsWith(reason))
  holdsForEvery("a fingerprint of other rules is not compared", [{ ...proof, request: { ...proof.request, fingerprint: "0", fingerprintRule: 0 } }], (value) => taken(value)?._tag === "Operation")
  const unproven: ReadonlyArray<readonly [unknown, KeptKnowledge, string]> = [
    [{ ...proof, journal: null }, knowledge, nobody],
    [{ ...proof, journal: { ...placeOf([leaf]), entries: [] } }, knowledge, nobody],
    [document, knowledge, nobody],
    [{ ...document, status: "FISCALIZED", pfr }, unsigned, nobody],
    [{ ...document, status: "FISCALIZED", pfr }, { ...knowledge, signers: [{ name: "x", modulus: signerModulus + 2n }] }, "the V-PFR's signature does not verify"]
  ]
  holdsForEvery("no place in the log and no signature", unproven, ([value, known, reason]) => reasonsOf(value, known).startsWith(reason))
  const elements: ReadonlyArray<readonly [KeptPlace["element"], string]> = [
    [null, stranger],
    [{ ...element, taxpayerId: TaxpayerId.make(premiseUuid) }, stranger],
    [{ ...element, jid: "ABCD1234" }, "the attempt was sent with another element"]
  ]
  holdsForEvery("an element of another taxpayer, or another element", elements, ([other, reason]) => reasonsOf(proof, knowledge, { element: other, issuing }).startsWith(reason))
})

rule("TAKEBACK-4", {
  says: "A kept file is a proof or a document of the API; its element is that of the receipt, or of the last attempt.",
  source: "Decisions §15; Decisions §17"
}, ({ holdsForEvery }) => {
  holdsForEvery("each kind", [[proof, "Proof"], [{ ...proof, version: 2 }, null], [document, "Answer"], [{}, null], [null, null], [[proof], null]] as const, ([value, tag]) =>
    (readKeptFile(value)?._tag ?? null) === tag)
  holdsForEvery("its document is the proof's", [proof], (value) => fileOf(value).document.id === documentUuid)
  const jids: ReadonlyArray<readonly [unknown, string | null]> = [
    [{ ...document, pfr }, "YJLQTEQR"],
    [document, null],
    [{ ...proof, attempts: ["A", "B", "C"].map((jid) => ({ ...attempt, jid })) }, "C"],
    [{ ...proof, attempts: [] }, null],
    [{ ...signed, attempts: [{ ...attempt, jid: "A" }] }, "YJLQTEQR"]
  ]
  holdsForEvery("of the receipt before that of an attempt", jids, ([value, jid]) => jidOf(fileOf(value)) === jid)
})

rule("TAKEBACK-5", {
  says: "Of a request from which data was erased only the key is taken back, and only where a key of this installation signed which digest it had before.",
  source: "Decisions §15; docs/adr/0114"
}, ({ holdsForEvery }) => {
  const left = bodyOf({ clientReference: "erased" })
  const record = { sealed: "0".repeat(64), left: "1".repeat(64) }
  const noteOf = (given: Partial<Erasure> = {}, secret = log.secret) =>
    signNote(erasureText({ origin: log.origin, documentId: fileOf(document).document.id, at: "2026-03-04T06:06:08.455Z", request: { sealed: portableSha256(body), left: portableSha256(left) }, record, ...given }), log.name, secret)
  const erased = (note: string) => ({ ...proof, request: { ...proof.request, received: left, erased: { note } } })
  holdsForEvery("whatever attempt could be searched for", [noteOf()], (note) => taken(erased(note))?._tag === "Key")
  const others = [
    ...[body, left].map((text) => noteOf({ request: { sealed: portableSha256(text), left: portableSha256(text) } })),
    noteOf({ origin: "another" }),
    noteOf({ documentId: fileOf({ ...document, id: premiseUuid }).document.id }),
    noteOf({}, new Uint8Array(32).fill(8)),
    ""
  ]
  holdsForEvery("a note of something else, or of somebody else", others, (note) => reasonsOf(erased(note)) === "the sealed request is another")
  holdsForEvery("a request that is no JSON", ["{"], (received) => reasonsOf({ ...proof, request: { ...proof.request, received, erased: { note: noteOf() } } }).startsWith("the request cannot be read"))
})
