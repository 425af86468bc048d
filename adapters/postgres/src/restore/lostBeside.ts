import type { FiscalDocumentId, TakeBack, WorkflowId } from "@overa/domain"
import { Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"

type TakenKey = Extract<TakeBack, { readonly _tag: "Key" }>

/** Which other documents must wait for a lost one: those of its advance case (`caseId`), or other refunds of the same receipt (`givesBack`). Both null: none. */
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

/** `caseId` is null where the lost document belongs to no case, and where the file names no case and the document that it refers to is lost too. */
export const concernedBy = Effect.fnUntraced(function*(tx: PgStatements, organizationId: string, { givesBack, inCase }: Pick<TakenKey, "givesBack" | "inCase">) {
  const caseId = inCase === null ? null : inCase.id ?? (yield* caseOf(tx, organizationId, inCase.referredId))
  return { caseId, closes: caseId === null ? null : inCase?.closes ?? null, givesBack } satisfies Concerned
})

export const concernsAnother = ({ caseId, givesBack }: Concerned): boolean => caseId !== null || givesBack !== null

/** SQL, $1 organization, $2 operation: a document (row `o`), with the refund workflow that it is the refund of, if it is one (row `w`). */
export const documentBeside = `operations o left join refund_workflows w on w.organization_id = $1 and w.organization_id = o.organization_id and w.refund_id = o.operation_id`

/**
 * SQL: whether the document `o` (`documentBeside`) must wait for the lost document of which something was kept (row `k`; $1 its organization): both are of one advance case, or both are
 * refunds of one receipt. It waits until the lost document is stored again, which is true where its key has a document with its id; the service's own documents get a new id, so there the
 * key is enough. In a case, lost documents of every kind hold up the document that is sent first. A final sale after an Advance Refund waits for lost final sales alone: the others have
 * held up its Advance Refund.
 */
export const isLostBeside = `(((k.case_id = o.workflow_id and o.invoice_type <> 'COPY' and (o.late_reference is null or (k.closes and k.key_role = o.key_role)))
  or k.gives_back = w.original_id) and not exists (
  select from operations d where d.organization_id = $1 and d.environment = k.environment and d.key_role = k.key_role and d.key = k.key
    and (k.key_role = 'INNER' or k.document_id is null or d.operation_id = k.document_id)))`

/** What an attention item says of the lost document. */
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
