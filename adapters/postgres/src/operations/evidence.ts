import type { AttemptEvidence, FiscalDocumentId, OrganizationId } from "@overa/domain"
import { Effect } from "effect"
import type { PgKeyed } from "../PgDatabase.ts"

interface EvidenceRow {
  readonly number: number
  readonly answer_text: string | null
}

/** The evidence of an operation's attempts, by their number. */
export const readEvidence = Effect.fnUntraced(function*(database: PgKeyed, organizationId: OrganizationId, id: FiscalDocumentId) {
  const key = [organizationId, id]
  // The first attempt's answer is in the operation's row; earlier releases stored it with the attempt.
  const [first] = yield* database.read<{ readonly request_id: string | null; readonly first_answer_text: string | null }>(
    "select request_id, first_answer_text from operations where organization_id = $1 and operation_id = $2",
    key
  )
  const rows = yield* database.read<EvidenceRow>(
    "select number, answer_text from attempts where organization_id = $1 and operation_id = $2 order by number",
    key
  )
  const kept = first?.first_answer_text ?? null
  const own: ReadonlyArray<EvidenceRow> = (first?.request_id ?? null) === null ? [] : [{ number: 1, answer_text: kept }]
  return [...own, ...rows].map((row): AttemptEvidence => ({
    number: row.number,
    answerText: row.number === 1 ? kept ?? row.answer_text : row.answer_text
  }))
}, (reading, database, organizationId) => database.confirmed(reading, { organizationId }))
