import type { FiscalDocumentId, TakeBack, WorkflowId } from "@overa/domain"
import { Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"

type TakenKey = Extract<TakeBack, { readonly _tag: "Key" }>

/** What other documents a lost one concerns, beside its key: those of the advance case that it changed, or the refunds of the receipt that it gave back. */
export interface Concerned {
  readonly caseId: WorkflowId | null
  readonly closes: boolean | null
  readonly givesBack: FiscalDocumentId | null
}

export const concernsNoOther: Concerned = { caseId: null, closes: null, givesBack: null }

const caseOfDocument = "select workflow_id from operations where organization_id = $1 and operation_id = $2 and workflow_type = 'ADVANCE'"

/** The case of the document that a lost one refers to; null where that is lost too. */
const caseOf = Effect.fnUntraced(function*(tx: PgStatements, organizationId: string, referredId: FiscalDocumentId | null) {
  const [referred] = yield* tx.query<{ readonly workflow_id: WorkflowId }>(caseOfDocument, [organizationId, referredId])
  return referred?.workflow_id ?? null
})

/** No case where the document changed none, or the file names none and what it refers to is lost too. */
export const concernedBy = Effect.fnUntraced(function*(tx: PgStatements, organizationId: string, { givesBack, inCase }: Pick<TakenKey, "givesBack" | "inCase">) {
  const caseId = inCase === null ? null : inCase.id ?? (yield* caseOf(tx, organizationId, inCase.referredId))
  return { caseId, closes: caseId === null ? null : inCase?.closes ?? null, givesBack } satisfies Concerned
})

export const concernsAnother = ({ caseId, givesBack }: Concerned): boolean => caseId !== null || givesBack !== null

/** SQL, $1 organization, $2 operation: a document (row `o`), with the refund workflow that it is the refund of, if it is one (row `w`). */
export const documentBeside = `operations o left join refund_workflows w on w.organization_id = $1 and w.organization_id = o.organization_id and w.refund_id = o.operation_id`

/**
 * Whether what was kept (row `k`; $1 its organization) is of a lost document of the same advance case as another one (`documentBeside`), or of a lost refund of the same receipt. All of a
 * case concerns the document that is sent first, until the lost document is stored again: under its key, and where it is not made by the service with its id too. Another document that has taken
 * its key in between is not it. A final sale that follows an Advance Refund is concerned by lost final sales alone: the rest was told with its Advance Refund.
 */
export const isLostBeside = `(((k.case_id = o.workflow_id and o.invoice_type <> 'COPY' and (o.late_reference is null or (k.closes and k.key_role = o.key_role)))
  or k.gives_back = w.original_id) and not exists (
  select from operations d where d.organization_id = $1 and d.environment = k.environment and d.key_role = k.key_role and d.key = k.key
    and (k.key_role = 'INNER' or k.document_id is null or d.operation_id = k.document_id)))`

/** What was kept of another document, as far as a person must know it. */
export interface LostBeside {
  readonly key: string
  readonly closes: boolean | null
  readonly gives_back: FiscalDocumentId | null
}

const whatWasLost = ({ closes, gives_back: givesBack }: LostBeside): string => {
  if (givesBack !== null) return "a refund of the same receipt"
  return `${closes === true ? "a closing" : "a payment or cancellation"} of the same advance case`
}

export const lostBeside = (lost: LostBeside): string => `the restore lost ${whatWasLost(lost)} under the key ${lost.key}`
