import type { AttentionItem, Operation } from "../operations/Operation.ts"

/** The attention item for a refund whose original the store lost: the refund is stored again, its original is not. */
export const originalLost = ({ answer, id }: Pick<Operation, "answer" | "id">): AttentionItem => ({
  kind: "ORIGINAL_LOST",
  detail: `the refund gives back ${answer?.pfr.invoiceNumber ?? "a receipt"} (document ${id}), which the store lost: take back the proof of that document`,
  evidence: answer?.text ?? null
})
