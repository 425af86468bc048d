import { type Attempt, type DocumentProof, type LogPlace, presentDocument, proofVersion, type ReceiptCheck, type Transition } from "@overa/domain"
import { DateTime } from "effect"
import { jsonNumber, utcTime } from "./scalars.ts"
import { fiscalDocumentJson } from "../contract/documentSchemas.ts"

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("base64")

const requestJson = ({ canonical, erased, fingerprint, received, target }: DocumentProof["request"]) => {
  const [method = "", path = ""] = target.split(" ", 2)
  return { method, path, received, canonical, fingerprint: fingerprint.digest, fingerprintRule: fingerprint.version, ...(erased === null ? {} : { erased }) }
}

const attemptJson = ({ jid, lastSearch, number, outcome, requestId, startedAt }: Attempt) => ({
  number,
  requestId,
  jid,
  startedAt: utcTime(startedAt),
  outcome,
  lastSearch: lastSearch === null ? null : { at: utcTime(lastSearch.at), found: lastSearch.found }
})

const transitionJson = ({ actor, at, attempt, cause, from, to }: Transition) => ({ from, to, at: utcTime(at), cause, actor, attempt })

const signatureOf = ({ signatureValid }: ReceiptCheck) => {
  if (signatureValid === null) return "NOT_CHECKED"
  return signatureValid ? "VALID" : "UNDER_NO_KNOWN_KEY"
}

const verificationJson = (check: ReceiptCheck) => {
  const { leadsToAuthority, link, signer, standing, undamaged } = check
  return {
    link: {
      root: link.root,
      requestedBy: link.requestedBy,
      signedBy: link.signedBy,
      totalCounter: link.totalCounter,
      transactionTypeCounter: link.transactionTypeCounter,
      totalAmount: jsonNumber(link.totalAmount),
      sdcTime: utcTime(DateTime.toUtc(DateTime.makeUnsafe(link.sdcTimeMillis))),
      invoiceType: link.invoiceType,
      transactionType: link.transactionType,
      buyerId: link.buyerId
    },
    undamaged,
    signature: signatureOf(check),
    signer: signer === null ? null : { name: signer.name, modulus: signer.modulus.toString(16) },
    standing,
    leadsToAuthority
  }
}

const answerJson = ({ text, verification }: NonNullable<DocumentProof["answer"]>) => ({
  text: base64(text),
  verification: verification === null ? null : verificationJson(verification)
})

const placeJson = ({ checkpoint, entries, origin, publicKey }: LogPlace) => ({
  origin,
  publicKey,
  checkpoint,
  entries: entries.map(({ inclusion, index, leaf }) => ({ index, leaf, inclusion: inclusion.map(base64) }))
})

/** Source: Decisions §14, Proof of a document; §17. */
export const proofJson = ({ answer, attempts, journal, operation, request, transitions }: DocumentProof) => ({
  version: proofVersion,
  document: fiscalDocumentJson(presentDocument(operation, { withRejection: true })),
  request: requestJson(request),
  attempts: attempts.map(attemptJson),
  transitions: transitions.map(transitionJson),
  answer: answer === null ? null : answerJson(answer),
  journal: journal === null ? null : placeJson(journal)
})
