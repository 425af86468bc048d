import { Result } from "effect"
import type { PlaceOfIssue } from "../../src/documents/composeContent.ts"
import { canonicalRuleVersion, fingerprint, portableSha256 } from "../../src/idempotency/boundKey.ts"
import { checkpointText } from "../../src/journal-log/Checkpoint.ts"
import { leafHash, rootOf } from "../../src/journal-log/merkle.ts"
import { base64Of } from "../../src/journal-log/signedNote.ts"
import { inclusionRanges } from "../../src/journal-log/treeProofs.ts"
import { readBodyTree } from "../../src/requests/bodyTree.ts"
import type { KeptKnowledge } from "../../src/restore/checkKept.ts"
import { type KeptFile, readKeptFile } from "../../src/restore/KeptFile.ts"
import { type KeptPlace, planTakeBack, type TakeBack } from "../../src/restore/planTakeBack.ts"
import { OrganizationId, SecurityElementId, TaxpayerId } from "../../src/tenancy/identifiers.ts"
import { decodeVerificationLink } from "../../src/verification/VerificationLink.ts"
import { noteKeyOf, signNote } from "../arbitraries/LogSigner.ts"
import { documentUuid, premiseUuid, taxpayerUuid } from "../arbitraries/SaleBody.ts"
import { signedLink, testSignerModulus } from "../arbitraries/SignedReceipt.ts"
import { saleAnswerText, saleLink, sandboxTin, signerModulus } from "./verificationVectors.ts"

export type Json = Readonly<Record<string, unknown>>

export const tenant = { organizationId: OrganizationId.make("01900000-0000-7000-8000-000000000001"), environment: "sandbox" } as const
export const path = "/v1/fiscal-documents"
export const bodyOf = (given: Json = {}): string => JSON.stringify({
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
export const body = bodyOf()
export const requestOf = (received: string, method = "POST", at = path) => ({
  method,
  path: at,
  received,
  fingerprint: fingerprint(`${method} ${at}`, Result.getOrThrow(readBodyTree(received))).digest,
  fingerprintRule: canonicalRuleVersion
})

export const log = { origin: "overa.example/journal/sandbox/1", name: "overa.example/journal", secret: new Uint8Array(32).fill(7) }
export const utf8 = new TextEncoder()

/** The place of some leaves, after another document's leaf, as this installation's log proves it. */
export const placeOf = (leaves: ReadonlyArray<Json>) => {
  const texts = [JSON.stringify({ documentId: "another" }), ...leaves.map((leaf) => JSON.stringify(leaf))]
  const hashes = texts.map((text) => leafHash(utf8.encode(text)))
  const inclusionOf = (index: number) => inclusionRanges(index, texts.length).map(({ end, start }) => base64Of(rootOf(hashes.slice(start, end))))
  return {
    origin: log.origin,
    checkpoint: signNote(checkpointText({ origin: log.origin, size: texts.length, root: rootOf(hashes) }), log.name, log.secret),
    entries: texts.map((leaf, index) => ({ index, leaf, inclusion: inclusionOf(index) })).slice(1)
  }
}
export const leaf: Json = { ...tenant, documentId: documentUuid, request: portableSha256(body), to: "SUBMITTING" }
export const pfr = { invoiceNumber: "YJLQTEQR-YJLQTEQR-11389", requestedBy: "YJLQTEQR", verificationUrl: saleLink }
export const answerText = base64Of(utf8.encode(saleAnswerText))
export const document = {
  id: documentUuid,
  taxpayerId: taxpayerUuid,
  businessPremiseId: premiseUuid,
  idempotencyKey: "key-0123456789abcdef",
  status: "OUTCOME_UNKNOWN",
  pfr: null,
  createdAt: "2023-06-06T11:21:13Z"
}
export const attempt = { number: 1, requestId: "0123456789abcdef0123456789abcdef", jid: "YJLQTEQR", startedAt: "2023-06-06T11:21:14Z", outcome: null as string | null }
export const proof = {
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
export const signed = {
  ...proof,
  document: { ...document, status: "FISCALIZED", pfr },
  attempts: [{ ...attempt, outcome: "NO_ANSWER" }, { ...attempt, requestId: "f".repeat(32), outcome: "SIGNED" }, { ...attempt, outcome: "NOT_SENT" }],
  answer: { text: answerText },
  journal: placeOf([{ ...leaf, to: "FISCALIZED", answer: portableSha256(saleAnswerText), invoiceNumber: pfr.invoiceNumber }])
}

/** The official example without its buyer, whom no valid request can name, signed again with the key of the tests. */
export const exampleLink = Result.getOrThrow(decodeVerificationLink(saleLink))
export const ownLink = signedLink({ ...exampleLink, buyerId: null }, sandboxTin)
export const ownAnswerText = saleAnswerText.replace(saleLink, ownLink)
export const receipt = {
  ...signed,
  document: { ...signed.document, pfr: { ...pfr, verificationUrl: ownLink } },
  answer: { text: base64Of(utf8.encode(ownAnswerText)) },
  journal: placeOf([{ ...leaf, to: "FISCALIZED", answer: portableSha256(ownAnswerText), invoiceNumber: pfr.invoiceNumber }]) as ReturnType<typeof placeOf> | null
}

export const knowledge: KeptKnowledge = {
  tenant,
  signers: [{ name: "sandbox", modulus: signerModulus }, { name: "tests", modulus: testSignerModulus }],
  log: { origin: log.origin, keys: [noteKeyOf(log.name, log.secret)] }
}
export const unsigned: KeptKnowledge = { ...knowledge, signers: [] }
export const issuing: PlaceOfIssue = { settings: { esirNumber: "1/1" }, found: { preferredPaperFormat: "80mm", brandingId: null } }
export const element = { id: SecurityElementId.make("01900005-0000-7000-8000-000000000001"), jid: "YJLQTEQR", taxpayerId: TaxpayerId.make(taxpayerUuid), tin: sandboxTin }
export const place: KeptPlace = { element, issuing }

export const fileOf = (value: unknown): KeptFile => {
  const kept = readKeptFile(value)
  if (kept === null) throw new Error("no kept file")
  return kept
}
export const planOf = (value: unknown, known = knowledge, at = place) => planTakeBack(fileOf(value), at, known)
export const taken = (value: unknown, known = knowledge, at = place): TakeBack | null => Result.getOrNull(planOf(value, known, at))
export const reasonsOf = (value: unknown, known = knowledge, at = place): string => {
  const plan = planOf(value, known, at)
  return Result.isFailure(plan) ? plan.failure.reasons.join("; ") : ""
}
