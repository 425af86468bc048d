import { type Erasure, type FiscalDocumentId, openErasure, portableSha256, readVerifierKey } from "@overa/domain"
import { type ProofFile, textOf } from "../read/readProof.ts"
import { type Finding, finding } from "./Finding.ts"
import type { Knowledge } from "./Knowledge.ts"

/** The erasure that a proof states, and whether a key of the reader has signed it. Null where it is not signed, or the request is not what it left. */
export const erasureOf = ({ document, journal, request }: ProofFile, { logKeys }: Knowledge): { readonly erasure: Erasure; readonly known: boolean } | null => {
  if (request.erased === null || journal === null) return null
  const about = { origin: journal.origin, documentId: (textOf(document, "id") ?? "") as FiscalDocumentId }
  const own = readVerifierKey(journal.publicKey)
  const known = openErasure(request.erased, logKeys, about)
  const erasure = known ?? (own === null ? null : openErasure(request.erased, [own], about))
  return erasure?.request.left === portableSha256(request.received) ? { erasure, known: known !== null } : null
}

/** The findings for a request from which personal data was erased. Source: Decisions §15; docs/adr/0114. */
export const erasureFindings = (proof: ProofFile, knowledge: Knowledge): ReadonlyArray<Finding> => {
  const found = erasureOf(proof, knowledge)
  if (found === null) return [finding("CONTRADICTED", "erasureWrong")]
  return [found.known ? finding("PROVEN", "requestErased", found.erasure.at) : finding("CLAIMED", "requestErasedOwnKey", found.erasure.at)]
}
