import type { Migration } from "./Migration.ts"

// Why: what step 45 left to do while sales run, and the documents that the service sends by itself but that earlier releases left without a next check:
// a decision "not issued" after the seven days of a search did so. The index has the rows of which there must be none.
const atRest = `status in ('VALIDATED', 'NOT_FISCALIZED') and next_check_at is null and (invoice_type = 'COPY' and key_role = 'INNER'
  or workflow_type = 'ADVANCE' and invoice_type = 'NORMAL'
    and (late_reference is not null or status = 'NOT_FISCALIZED' and failure_code <> 'ADVANCE_REFUND_NOT_FISCALIZED'))`

export const documentsInDoubtOnline: Migration = {
  number: 46,
  name: "documents in doubt, online",
  online: true,
  statements: [
    `update operations o set in_doubt = true from attention a
      where a.organization_id = o.organization_id and a.operation_id = o.operation_id and a.acknowledged_at is null
        and a.kind in ('LOST_ATTEMPT', 'SECOND_RECEIPT') and not o.in_doubt`,
    `create index concurrently if not exists operations_at_rest on operations (organization_id) where ${atRest}`,
    `update operations set next_check_at = now() where ${atRest}`
  ]
}
