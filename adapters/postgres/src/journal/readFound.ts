import { type FiscalDocumentId, type FoundDocument, shownAmount, statusInDoubt, type Tenant } from "@overa/domain"
import { BigDecimal } from "effect"
import { inParts } from "../inParts.ts"
import type { PgQueries } from "../PgDatabase.ts"
import { utc } from "../rows/OperationRow.ts"
import { inOrderOf } from "./byIds.ts"
import type { LineRow } from "./journalLines.ts"

type FoundRow = Pick<LineRow, "client_reference" | "created_at" | "in_doubt" | "invoice_number" | "invoice_type" | "operation_id" | "status" | "total_amount" | "transaction_type">

/** $1 organization, $2 environment, $3 ids. */
const foundByIds = `select operation_id, created_at, status, in_doubt, invoice_type, transaction_type, invoice_number, client_reference, total_amount
  from operations where organization_id = $1 and environment = $2 and operation_id = any ($3::uuid[])`

const documentOf = (row: FoundRow): FoundDocument => ({
  id: row.operation_id as FiscalDocumentId,
  createdAt: utc(row.created_at),
  status: row.in_doubt ? statusInDoubt(row.status) : row.status,
  invoiceType: row.invoice_type,
  transactionType: row.transaction_type,
  pfrNumber: row.invoice_number,
  clientReference: row.client_reference,
  amount: shownAmount(row.transaction_type, BigDecimal.fromStringUnsafe(row.total_amount))
})

/** The documents by id, equal to `foundDocumentOf` of each, in the order of the ids: only short columns are read. */
export const readFound = (database: PgQueries, { environment, organizationId }: Tenant, ids: ReadonlyArray<FiscalDocumentId>) =>
  inParts(database.read<FoundRow>(foundByIds, [organizationId, environment, ids]), (rows): ReadonlyArray<FoundDocument> => inOrderOf(ids, rows).map(documentOf))
