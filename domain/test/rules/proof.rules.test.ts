import { Result } from "effect"
import * as fc from "fast-check"
import { DocumentStatus } from "../../src/documents/DocumentStatus.ts"
import { fingerprint, portableSha256 } from "../../src/idempotency/boundKey.ts"
import { erasureText, openErasure } from "../../src/journal-log/ErasureNote.ts"
import { documentProof } from "../../src/proof/documentProof.ts"
import { readBodyTree } from "../../src/requests/bodyTree.ts"
import { FiscalDocumentId } from "../../src/tenancy/identifiers.ts"
import { checkLink, linkFacts } from "../../src/verification/checkReceipt.ts"
import { decodeVerificationLink } from "../../src/verification/VerificationLink.ts"
import { noteKeyOf, signNote } from "../arbitraries/LogSigner.ts"
import { operationOf, signedAnswer } from "../arbitraries/Operation.ts"
import { proformaLink, refundLink, saleLink, sandboxTin, signerModulus } from "../examples/verificationVectors.ts"
import { rule } from "./ruleBook.ts"

const nothingKnown = { signers: [], verificationRoot: null }
const history = { attempts: [], transitions: [], journal: null, known: nothingKnown }
const status = fc.constantFrom(...DocumentStatus.literals)

rule("PROOF-1", {
  says: "A proof shows the V-PFR's answer where it decided the document, and never another.",
  source: "Decisions §14, Proof of a document; Decisions §17"
}, ({ holds }) => {
  holds("whatever is stored beside the status", { status, answered: fc.boolean(), rejected: fc.boolean() }, ({ answered, rejected, status: now }) => {
    const operation = operationOf({ status: now, answer: answered ? signedAnswer : null })
    const { answer } = documentProof({ ...history, operation, rejectionText: rejected ? "rejection" : null })
    if (now === "FISCALIZED" && answered) return answer?.text === signedAnswer.text
    return now === "REJECTED" && rejected ? answer?.text === "rejection" && answer.verification === null : answer === null
  })
})

rule("PROOF-2", {
  says: "The request of a proof is the body as it came, with the canonical text whose SHA-256 is the fingerprint its key was bound to.",
  source: "Decisions §3; Decisions §14, Proof of a document"
}, ({ holds, holdsForEvery }) => {
  const target = "POST /v1/fiscal-documents"
  const boundTo = (body: string, version?: number) => {
    const made = fingerprint(target, Result.getOrThrow(readBodyTree(body)))
    return operationOf({ boundKey: { role: "REQUEST", key: "key-0123456789abcdef", target, body, fingerprint: { ...made, version: version ?? made.version } } })
  }
  const proofOf = (body: string, version?: number) => documentProof({ ...history, operation: boundTo(body, version), rejectionText: null }).request
  holds("for any JSON, however it is spelled", { value: fc.object({ maxDepth: 2 }), blanks: fc.constantFrom(0, 1, 4) }, ({ blanks, value }) => {
    const body = JSON.stringify(value, null, blanks)
    const request = proofOf(body)
    return request.received === body && request.canonical !== null && portableSha256(request.canonical) === request.fingerprint.digest
  })
  holdsForEvery("a fingerprint of other rules has no canonical text of today's", [0, 2, 99], (version) => proofOf("{}", version).canonical === null)
})

rule("PROOF-3", {
  says: "Of a verification link both JIDs are never proven, and nothing is without a key that verifies.",
  source: "V-PFR §7.4; Decisions §14, Proof of a document"
}, ({ holds, holdsForEvery }) => {
  const links = [saleLink, proformaLink, refundLink]
  const keys = [signerModulus, signerModulus + 2n, signerModulus - 2n, 3n]
  holdsForEvery("every link with its signer's key: all but the JIDs", links, (link) => {
    const { signatureValid, standing } = checkLink(Result.getOrThrow(decodeVerificationLink(link)), { tin: sandboxTin, signers: [{ name: "any", modulus: signerModulus }] })
    return signatureValid === true && linkFacts.every((fact) => standing[fact] === (fact === "requestedBy" || fact === "signedBy" ? "NOT_COVERED" : "PROVEN"))
  })
  holds("with any keys and any TIN", { link: fc.constantFrom(...links), chosen: fc.subarray(keys), tin: fc.constantFrom(sandboxTin, "RS100000008", "") }, ({ chosen, link, tin }) => {
    const { signer, standing } = checkLink(Result.getOrThrow(decodeVerificationLink(link)), { tin, signers: chosen.map((modulus) => ({ name: String(modulus), modulus })) })
    const verifies = tin === sandboxTin && chosen.includes(signerModulus)
    return (signer !== null) === verifies && standing.requestedBy === "NOT_COVERED" && standing.signedBy === "NOT_COVERED" &&
      (standing.totalAmount === "PROVEN") === verifies
  })
})

rule("PROOF-4", {
  says: "An erasure is believed only of the document and the log that it names, signed by a known key, with every digest as it was signed.",
  source: "Decisions §15; Decisions §17"
}, ({ holds, holdsForEvery }) => {
  const digest = fc.stringMatching(/^[0-9a-f]{64}$/)
  const key = fc.uint8Array({ minLength: 32, maxLength: 32 })
  const erasures = fc.record({
    origin: fc.constantFrom("overa.journal/1/organization/sandbox", "overa.journal/1/organization/production"),
    documentId: fc.uuid().map((id) => FiscalDocumentId.make(id)),
    at: fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true }).map((at) => at.toISOString()),
    request: fc.record({ sealed: digest, left: digest }),
    record: fc.record({ sealed: digest, left: digest })
  })
  const name = "overa.journal/1"
  holds("it is read as it was signed", { erasure: erasures, secret: key }, ({ erasure, secret }) =>
    JSON.stringify(openErasure(signNote(erasureText(erasure), name, secret), [noteKeyOf(name, secret)], erasure)) === JSON.stringify(erasure))
  holds("no other key, document or log", { erasure: erasures, secret: key, other: key, document: fc.uuid() }, ({ document, erasure, other, secret }) => {
    const note = signNote(erasureText(erasure), name, secret)
    const known = [noteKeyOf(name, secret)]
    return openErasure(note, [noteKeyOf(name, other)], erasure) === null &&
      openErasure(note, known, { ...erasure, documentId: FiscalDocumentId.make(document) }) === null &&
      openErasure(note, known, { ...erasure, origin: `${erasure.origin}x` }) === null
  })
  holds("no character changed", { erasure: erasures, secret: key, place: fc.nat(), to: fc.constantFrom("0", "1", "a", "\n", " ") }, ({ erasure, place, secret, to }) => {
    const note = signNote(erasureText(erasure), name, secret)
    const at = place % erasureText(erasure).length
    return note[at] === to || openErasure(note.slice(0, at) + to + note.slice(at + 1), [noteKeyOf(name, secret)], erasure) === null
  })
  holds("a proof shows no canonical text of what is left, and the note's time", { erasure: erasures, secret: key }, ({ erasure, secret }) => {
    const note = signNote(erasureText(erasure), name, secret)
    const { boundKey } = operationOf()
    const { request } = documentProof({ ...history, operation: operationOf({ boundKey: { ...boundKey, erasure: note } }), rejectionText: null })
    return request.canonical === null && request.erased?.note === note && request.erased.at === erasure.at
  })
  holdsForEvery("a stored note that cannot be read is shown as it is, without a time", ["", "erased"], (note) => {
    const { boundKey } = operationOf()
    const { request } = documentProof({ ...history, operation: operationOf({ boundKey: { ...boundKey, erasure: note } }), rejectionText: null })
    return request.canonical === null && request.erased?.note === note && request.erased.at === ""
  })
})

rule("PROOF-5", {
  says: "Of a receipt's proof the link is read with all that is known: the signed TIN, the recorded signers, the address of the environment.",
  source: "Decisions §14, Proof of a document"
}, ({ holds, holdsForEvery }) => {
  const answerOf = (verificationUrl: string, tin: string | null) => ({ ...signedAnswer, tin, pfr: { ...signedAnswer.pfr, verificationUrl } })
  const given = {
    link: fc.constantFrom(saleLink, proformaLink, refundLink),
    tin: fc.constantFrom(sandboxTin, null),
    root: fc.constantFrom("https://sandbox.suf.purs.gov.rs/v/?vl=", "https://other.example/v/?vl=", null)
  }
  const signers = [{ name: "any", modulus: signerModulus }]
  holds("as checked by itself", given, ({ link, root, tin }) => {
    const { answer } = documentProof({ ...history, known: { signers, verificationRoot: root }, operation: operationOf({ status: "FISCALIZED", answer: answerOf(link, tin) }), rejectionText: null })
    const wanted = checkLink(Result.getOrThrow(decodeVerificationLink(link)), { signers, ...(tin === null ? {} : { tin }), ...(root === null ? {} : { verificationRoot: root }) })
    return fc.stringify(answer?.verification) === fc.stringify(wanted) && answer?.verification?.signatureValid === (tin === null ? null : true)
  })
  holdsForEvery("a link that cannot be read proves nothing", ["", "https://x.example/"], (link) =>
    documentProof({ ...history, operation: operationOf({ status: "FISCALIZED", answer: answerOf(link, sandboxTin) }), rejectionText: null }).answer?.verification === null)
})
