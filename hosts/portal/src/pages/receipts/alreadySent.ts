import { type FiscalDocumentId, isDocument, OperationStore } from "@overa/domain"
import { Effect, Option } from "effect"
import type { MemberVisit } from "../../http/Visit.ts"
import { keyOfForm } from "./issueForm.ts"

/** The document that this form issued before: after a double click, or an answer that was lost in transit. Null for a new form. */
export const alreadySent = Effect.fnUntraced(function*(visit: MemberVisit, original: FiscalDocumentId) {
  const key = { organizationId: visit.organizationId, role: "REQUEST", key: keyOfForm(visit.form?.text("form") ?? "") } as const
  const found = Option.getOrNull(yield* (yield* OperationStore).findByKey(key))
  return found !== null && isDocument(found) && found.content.reference?.fiscalDocumentId === original ? found.id : null
})
