import type { ChangedCase, WorkflowId } from "@overa/domain"
import { Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"

const caseOfDocument = "select workflow_id from operations where organization_id = $1 and operation_id = $2 and workflow_type = 'ADVANCE'"

/** The case that a lost document changed; null where it changed none, or the file names none and what it refers to is lost too. */
export const storedCase = Effect.fnUntraced(function*(tx: PgStatements, organizationId: string, changed: ChangedCase | null) {
  if (changed === null) return null
  const { closes, id, referredId } = changed
  if (id !== null) return { id, closes }
  const [referred] = yield* tx.query<{ readonly workflow_id: WorkflowId }>(caseOfDocument, [organizationId, referredId])
  return referred === undefined ? null : { id: referred.workflow_id, closes }
})

/**
 * Whether what was kept (row `k`; $1 its organization) is of a lost document of the same advance case as another one (row `o`). All of it concerns the document
 * that is sent first. A final sale that follows an Advance Refund is concerned by lost final sales alone: the rest was told with its Advance Refund.
 */
export const isLostOfCase = `(k.case_id = o.workflow_id and o.invoice_type <> 'COPY' and (o.late_reference is null or (k.closes and k.key_role = o.key_role)) and not exists (
  select from operations d where d.organization_id = $1 and d.environment = k.environment and d.key_role = k.key_role and d.key = k.key))`

/** What was kept of another document, as far as a person must know it. */
export interface LostOfCase {
  readonly key: string
  readonly closes: boolean | null
}

export const lostOfCase = ({ closes, key }: LostOfCase): string =>
  `the restore lost ${closes === true ? "a closing" : "a payment or cancellation"} of the same advance case under the key ${key}`
