import { isUnresolved } from "../documents/DocumentStatus.ts"
import type { AttentionItem, Operation } from "../operations/Operation.ts"
import { latestAdvance } from "./advanceChain.ts"
import { storedAfterClosing } from "./afterClosing.ts"
import { advancePartOf, advanceSales, caseDocuments, referredId } from "./caseDocuments.ts"

/**
 * The attention item for an Advance Sale that the store had lost and that is stored again, where another Advance Sale of the case was reserved meanwhile and is a receipt, or may
 * become one. Each Advance Sale refers to the one before it; these two do not refer to each other. Null for every other document. Source: Decisions §4, Store trouble; §5, Advance case.
 *
 * @param documents All documents of the case, in the order they were reserved.
 */
export const storedBesideAnother = (document: Operation, documents: ReadonlyArray<Operation>): AttentionItem | null => {
  if (advancePartOf(document) !== "PAYMENT") return null
  const others = caseDocuments(documents.filter(({ id }) => id !== document.id))
  const latest = latestAdvance(advanceSales(others))
  // No advance is reserved while another one is unresolved. So one that was reserved meanwhile did not know of this one.
  const other = others.payments.find((payment) => isUnresolved(payment) || (payment.id === latest?.id && payment.id !== referredId(document)))
  if (other === undefined || referredId(other) === document.id) return null
  const detail = `the Advance Sale that the store had lost is stored again, and may become a receipt, beside another one of the same case that was reserved without it (document ${other.id}): neither refers to the other`
  return { kind: "BESIDE_ANOTHER_ADVANCE", detail, evidence: null }
}

/** What a person is told of a document of a case that the store had lost, and that is stored again. `documents` are all of the case, in the order they were reserved. */
export const storedAgainItems = (document: Operation, documents: ReadonlyArray<Operation>): ReadonlyArray<AttentionItem> =>
  [storedAfterClosing(document, documents), storedBesideAnother(document, documents)].filter((item) => item !== null)
