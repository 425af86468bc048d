import type { FiscalDocumentId, OrganizationId } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { raiseItems } from "../operations/raise.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { followDoubt } from "../workflows/followDoubt.ts"
import { knownById, type KnownRow } from "./addAttempts.ts"
import { concernedBy, concernsNoOther } from "./lostBeside.ts"
import { ownerOf, type Taken } from "./Taken.ts"

interface About {
  readonly organizationId: OrganizationId
  readonly id: string
}

const keep = `insert into kept_answers (organization_id, document_id, detail, invoice_number, environment, key_role, key, case_id, closes, gives_back)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`

const detailOf = ({ invoiceNumber }: Taken, requestIds: ReadonlyArray<string>): string => {
  const what = invoiceNumber === null ? "may have reached the V-PFR" : `the V-PFR signed as ${invoiceNumber}`
  const where = requestIds.length === 0 ? "" : `, under RequestId ${requestIds.join(", ")}`
  return `the restore lost an attempt of this document that ${what}; it could not be put back${where}`
}

/** Keeps that a document may have a receipt, where nothing can be searched for. */
export const keepAnswer = Effect.fnUntraced(function*(tx: PgStatements, { id, organizationId }: About, taken: Taken, requestIds: ReadonlyArray<string>) {
  const { boundKey: { key, role }, environment } = ownerOf(taken)
  const { caseId, closes, givesBack } = taken._tag === "Key" ? yield* concernedBy(tx, organizationId, taken) : concernsNoOther
  yield* tx.query(keep, [organizationId, id, detailOf(taken, requestIds), taken.invoiceNumber, environment, role, key, caseId, closes, givesBack])
})

interface AnswerRow {
  readonly organization_id: OrganizationId
  readonly document_id: FiscalDocumentId
  readonly detail: string
  readonly invoice_number: string | null
}

const untold = "select organization_id, document_id, detail, invoice_number from kept_answers where not told order by organization_id, document_id, detail"
const allTold = "update kept_answers set told = true where not told"

/** Whether the document is here without the receipt. A key that is held has no document, and no request under it is accepted. */
const lacksReceipt = (row: KnownRow | undefined, { invoice_number: number }: AnswerRow): boolean =>
  row !== undefined && row.status !== "RECEIVED" && (number === null || row.invoice_number !== number)

/**
 * Puts every document on the attention list of which a caller has kept a receipt that it still does not have, in the commit that ends the restore: it is in
 * doubt from then on, so that nothing is sent until a person has looked.
 */
export const tellKept = Effect.fnUntraced(function*(tx: PgStatements) {
  const at = yield* DateTime.now
  for (const kept of yield* tx.query<AnswerRow>(untold)) {
    const about = { organizationId: kept.organization_id, operationId: kept.document_id, at }
    const [row] = yield* tx.query<KnownRow>(knownById, [about.organizationId, about.operationId])
    if (!lacksReceipt(row, kept)) continue
    yield* raiseItems(tx, about, [{ kind: "LOST_ATTEMPT", detail: kept.detail, evidence: null }])
    yield* followDoubt(tx, about)
  }
  yield* tx.query(allTold)
})
