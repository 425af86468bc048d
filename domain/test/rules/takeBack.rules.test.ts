import { DateTime } from "effect"
import { canonicalRuleVersion, portableSha256 } from "../../src/idempotency/boundKey.ts"
import { checkpointText } from "../../src/journal-log/Checkpoint.ts"
import { type Erasure, erasureText } from "../../src/journal-log/ErasureNote.ts"
import { leafHash } from "../../src/journal-log/merkle.ts"
import { base64Of } from "../../src/journal-log/signedNote.ts"
import { checkKept, type KeptKnowledge } from "../../src/restore/checkKept.ts"
import { readKeptFile, type TriedRequest } from "../../src/restore/KeptFile.ts"
import { jidOf, type KeptPlace, type TakeBack } from "../../src/restore/planTakeBack.ts"
import { TaxpayerId } from "../../src/tenancy/identifiers.ts"
import { signNote } from "../arbitraries/LogSigner.ts"
import { documentUuid, premiseUuid, taxpayerUuid } from "../arbitraries/SaleBody.ts"
import { saleAnswerText, saleLink, signerModulus } from "../examples/verificationVectors.ts"
import { rule } from "./ruleBook.ts"
import { attempt, body, bodyOf, document, element, fileOf, issuing, type Json, knowledge, leaf, log, path, pfr, placeOf, proof, reasonsOf, receipt, requestOf, signed, taken, tenant, unsigned, utf8 } from "../examples/keptFiles.ts"

const searchedBy = ({ attempts }: Pick<TriedRequest, "attempts">): string => attempts.map(({ number, outcome, requestId }) => `${number} ${requestId} ${outcome}`).join()

rule("TAKEBACK-1", {
  says: "Of a proven sale with attempts to search for, the first commit is taken back as it was, with all attempts that may have been signed, to be searched at the V-PFR; nothing else of the file is stored.",
  source: "Decisions §15"
}, ({ holdsForEvery }) => {
  holdsForEvery("an unknown outcome, in each of its statuses", ["SUBMITTING", "OUTCOME_UNKNOWN", "RECONCILING"], (status) => {
    const plan = taken({ ...proof, document: { ...document, status } })
    if (plan?._tag !== "Operation") return false
    const { attempts: [tried, ...others], operation, transitions } = plan
    if (others.length > 0) return false
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
  holdsForEvery("a receipt, proven by its signature or by the log: what was signed and what may have been, without their outcomes", receipts, ({ known, value }) => {
    const plan = taken(value, known)
    return plan?._tag === "Operation" && searchedBy(plan) === `1 ${attempt.requestId} null,2 ${"f".repeat(32)} null` && plan.invoiceNumber === pfr.invoiceNumber &&
      plan.operation.id === documentUuid && plan.operation.status === "SUBMITTING" && plan.operation.answer === null && plan.operation.attempt === 1 &&
      plan.operation.boundKey.body === body && plan.operation.boundKey.key === "key-0123456789abcdef" && plan.transitions.at(-1)?.to === "SUBMITTING"
  })
  const unanswered = ["a", "b", "c"].map((letter) => ({ ...attempt, requestId: letter.repeat(32), outcome: "NO_ANSWER" }))
  holdsForEvery("several attempts that may have been signed, whatever the status", [receipt, proof], (value) => {
    const plan = taken({ ...value, attempts: [...unanswered, ...unanswered, { ...attempt, requestId: "d".repeat(32), outcome: "NOT_SENT" }, { ...attempt, requestId: "e".repeat(32), outcome: "REJECTED" }] })
    return plan?._tag === "Operation" && searchedBy(plan) === ["a", "b", "c"].map((letter, at) => `${at + 1} ${letter.repeat(32)} null`).join()
  })
  holdsForEvery("of several attempts, those of the receipt's element", [{ ...receipt, attempts: [{ ...attempt, jid: "ANOTHER1" }, { ...attempt, requestId: "f".repeat(32), outcome: "SIGNED" }] }], (value) => {
    const plan = taken(value)
    return plan?._tag === "Operation" && searchedBy(plan) === `1 ${"f".repeat(32)} null`
  })
  holdsForEvery("a receipt of which no attempt may have been signed, by the last attempt", [["NOT_SENT", "REJECTED"]], (outcomes) => {
    const plan = taken({ ...receipt, attempts: outcomes.map((outcome, at) => ({ ...attempt, requestId: String(at).repeat(32), outcome })) })
    return plan?._tag === "Operation" && searchedBy(plan) === `1 ${"1".repeat(32)} null`
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
    { ...proof, attempts: [{ ...attempt, outcome: "NOT_SENT" }, { ...attempt, outcome: "REJECTED" }] },
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
    [{ ...receipt, request: refunds }, `${attempt.requestId},${"f".repeat(32)}`],
    [{ ...receipt, request: refunds, attempts: [{ ...attempt, jid: "ANOTHER1" }] }, ""],
    [{ ...proof, request: refunds, attempts: [] }, ""]
  ]
  holdsForEvery("the attempts to search for, where the file names them and they were made with the tenant's element", tried, ([value, requestId]) => {
    const plan = taken(value)
    if (plan?._tag !== "Key" || plan.tried === null) return plan?._tag === "Key" && requestId === ""
    const { attempts, fingerprint: digest } = plan.tried
    return attempts.map((found) => found.requestId).join() === requestId && digest === refunds.fingerprint &&
      attempts.every(({ elementId, operationId, outcome }) => elementId === element.id && operationId === documentUuid && outcome === null)
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

rule("TAKEBACK-6", {
  says: "The key of a document that the service makes of another one is never held: the service must be able to make the document.",
  source: "Decisions §3; docs/adr/0120"
}, ({ holdsForEvery }) => {
  const made = { ...document, status: "FISCALIZED", pfr, transactionType: "REFUND" }
  const copy = { ...made, invoiceType: "COPY", idempotencyKey: "key-1:copy" }
  const advanceRefund = { ...made, invoiceType: "ADVANCE", idempotencyKey: "key-1:advance-refund" }
  const proofAt = (given: Json, at: string) => ({ ...proof, document: { ...document, ...given, status: "OUTCOME_UNKNOWN", pfr: null }, request: requestOf(body, "POST", at) })
  const roleOf = (value: unknown): string | null => {
    const plan = taken(value)
    return plan?._tag === "Key" ? plan.owner.boundKey.role : null
  }
  const cases: ReadonlyArray<readonly [unknown, string]> = [
    [copy, "INNER"],
    [proofAt(copy, "/v1/refund-workflows"), "INNER"],
    [proofAt(copy, "/v1/advance-cases/1/cancellations"), "INNER"],
    [advanceRefund, "INNER"],
    [proofAt(advanceRefund, "/v1/advance-cases/1/closing"), "INNER"],
    [{ ...copy, idempotencyKey: "key-1" }, "REQUEST"],
    [{ ...copy, transactionType: "SALE" }, "REQUEST"],
    [{ ...copy, invoiceType: "NORMAL" }, "REQUEST"],
    [proofAt(copy, "/v1/fiscal-documents/1/copies"), "REQUEST"],
    [proofAt(copy, "/v1/proforma-documents"), "REQUEST"],
    [{ ...advanceRefund, idempotencyKey: "key-1:copy" }, "REQUEST"],
    [proofAt(advanceRefund, "/v1/advance-cases/1/cancellations"), "REQUEST"]
  ]
  holdsForEvery("by its kind, its key and the path of its request", cases, ([value, role]) => roleOf(value) === role)
})
