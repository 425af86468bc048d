import { type Conclusion, type Operation, receiptAfterClosing, standingFinalSale, StoreUnavailable } from "@overa/domain"
import { Effect } from "effect"
import { raiseItems } from "../operations/raise.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { decodeOperation, operationColumns, type OperationRow } from "../rows/OperationRow.ts"

/** $1 organization, $2 case: the documents of its closings, by their own index. */
export const closingsOfCase = `select ${operationColumns} from operations where organization_id = $1 and workflow_id = $2
  and workflow_type = 'ADVANCE' and (invoice_type = 'NORMAL' or (invoice_type = 'ADVANCE' and key_role = 'INNER')) order by created_at, operation_id`

const closingsOf = (statements: PgStatements, organizationId: string, caseId: string) =>
  Effect.map(statements.query<OperationRow>(closingsOfCase, [organizationId, caseId]), (rows) => rows.map(decodeOperation))

/** A person is told of a receipt that a closing of the case did not count, in the commit that stores it. */
export const raiseAfterClosing = Effect.fnUntraced(function*(statements: PgStatements, conclusion: Conclusion, caseId: string, document: Operation) {
  if (document.status !== "FISCALIZED") return
  const item = receiptAfterClosing(document, yield* closingsOf(statements, document.organizationId, caseId))
  if (item !== null) yield* raiseItems(statements, conclusion, [item])
})

/**
 * What has the place of a document whose key is free: another closing's final sale, for a final sale; for any other document one in flight, which
 * keeps it out for a while only.
 */
export const placeHolderOf = Effect.fnUntraced(function*(statements: PgStatements, caseId: string, { content, organizationId }: Operation) {
  const standing = content.invoiceType === "NORMAL" ? standingFinalSale(yield* closingsOf(statements, organizationId, caseId)) : null
  return standing ?? (yield* new StoreUnavailable({ committed: "no", cause: new Error("another document of the advance case is in flight") }))
})
