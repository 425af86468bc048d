import type { AttentionItem, Operation } from "../operations/Operation.ts"
import { latestAdvance } from "./advanceChain.ts"
import { advanceSales, advancePartOf, caseDocuments, referredId } from "./caseDocuments.ts"

const unresolved: ReadonlySet<Operation["status"]> = new Set(["SUBMITTING", "OUTCOME_UNKNOWN", "RECONCILING"])

/**
 * The attention item for an Advance Sale that the store had lost, and that is stored again after another one of its case was reserved without it, and became a receipt or
 * may do so: each refers to the latest one before it, and one of these two does not. Null for every other document. Source: Decisions §4, Store trouble; §5, Advance case.
 *
 * @param documents All documents of the case, in the order they were reserved.
 */
export const storedBesideAnother = (document: Operation, documents: ReadonlyArray<Operation>): AttentionItem | null => {
  if (advancePartOf(document) !== "PAYMENT") return null
  const others = documents.filter(({ id }) => id !== document.id)
  const { payments } = caseDocuments(others)
  const latest = latestAdvance(advanceSales(caseDocuments(others)))
  // While an advance is unresolved, no other one is reserved: such a one was reserved without this one.
  const other = payments.find(({ id, status }) => unresolved.has(status) || (id === latest?.id && id !== referredId(document)))
  if (other === undefined || referredId(other) === document.id) return null
  const detail = `the Advance Sale that the store had lost is stored again, and may become a receipt, beside another one of the same case that was reserved without it (document ${other.id}): neither refers to the other`
  return { kind: "BESIDE_ANOTHER_ADVANCE", detail, evidence: null }
}
