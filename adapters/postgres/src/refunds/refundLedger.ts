import {
  type Conclusion,
  type FiscalDocumentId,
  formatDecimal,
  lineAmount,
  type LineItem,
  type Operation,
  overRefunded,
  type RefundEntry,
  type RefundLedger,
  type WorkflowId
} from "@overa/domain"
import { BigDecimal, Effect } from "effect"
import { raiseItems } from "../operations/raise.ts"
import type { PgStatements } from "../PgDatabase.ts"

interface LineRow {
  readonly line_index: number
  readonly quantity_original: string
  readonly amount_original: string
  readonly quantity_taken: string
  readonly amount_taken: string
}

interface HoldRow extends EntryRow {
  readonly workflow_id: string
}

const decimal = BigDecimal.fromStringUnsafe

const openLines = `insert into refund_lines
    (organization_id, original_id, line_index, quantity_original, amount_original, quantity_taken, amount_taken)
  select $1::uuid, $2::uuid, line_index, quantity::numeric, amount::numeric, 0, 0
  from unnest($3::int4[], $4::text[], $5::text[]) as l (line_index, quantity, amount)
  on conflict do nothing`

const lines = `select line_index, quantity_original, amount_original, quantity_taken, amount_taken from refund_lines
  where organization_id = $1 and original_id = $2 order by line_index`

const holds = `select w.workflow_id, e.line_index, e.quantity, e.amount from refund_workflows w
  join refund_entries e using (organization_id, workflow_id)
  where w.organization_id = $1 and w.original_id = $2 and w.holds = 'HELD' order by w.created_at, e.line_index`

/** Opens the ledger of a receipt on its first refund, a row per line. */
export const openAccount = (statements: PgStatements, original: Operation) => {
  const items: ReadonlyArray<LineItem> = original.content.items
  return statements.query(openLines, [
    original.organizationId,
    original.id,
    items.map((_, index) => index),
    items.map((item) => formatDecimal(item.quantity)),
    items.map((item) => formatDecimal(lineAmount(item)))
  ])
}

interface EntryRow {
  readonly line_index: number
  readonly quantity: string
  readonly amount: string
}

const entryOf = (row: EntryRow): RefundEntry => ({
  originalLineIndex: row.line_index,
  quantity: decimal(row.quantity),
  amount: decimal(row.amount)
})

const entries = `select line_index, quantity, amount from refund_entries where organization_id = $1 and workflow_id = $2
  order by line_index`

/** What a refund took of the original's lines when it was reserved. */
export const entriesOf = (statements: PgStatements, organizationId: string, workflowId: string) =>
  Effect.map(statements.query<EntryRow>(entries, [organizationId, workflowId]), (rows) => rows.map(entryOf))

const holdsOf = (rows: ReadonlyArray<HoldRow>): RefundLedger["holds"] => {
  const byWorkflow = new Map<WorkflowId, Array<RefundEntry>>()
  for (const row of rows) {
    const id = row.workflow_id as WorkflowId
    const held = byWorkflow.get(id) ?? []
    held.push(entryOf(row))
    byWorkflow.set(id, held)
  }
  return [...byWorkflow].map(([workflowId, held]) => ({ workflowId, entries: held }))
}

/**
 * The ledger of a receipt; none before its first refund. With a row lock, every other refund of the receipt waits until the commit; then the holds,
 * which only the preview shows, are not read.
 */
export const readAccount = Effect.fnUntraced(function*(statements: PgStatements, original: Operation, lock: "locked" | "unlocked") {
  const key = [original.organizationId, original.id]
  const rows = yield* statements.query<LineRow>(lock === "locked" ? `${lines} for update` : lines, key)
  const held = lock === "locked" ? [] : yield* statements.query<HoldRow>(holds, key)
  const ledger: RefundLedger = {
    lines: rows.map((row) => ({
      quantityOriginal: decimal(row.quantity_original),
      amountOriginal: decimal(row.amount_original),
      quantityTaken: decimal(row.quantity_taken),
      amountTaken: decimal(row.amount_taken)
    })),
    holds: holdsOf(held)
  }
  return ledger
})

const take = `update refund_lines l
  set quantity_taken = l.quantity_taken + e.quantity::numeric * $6::int4, amount_taken = l.amount_taken + e.amount::numeric * $6::int4,
    over_refunded = l.over_refunded or ($7::bool and (l.quantity_taken + e.quantity::numeric > l.quantity_original
      or l.amount_taken + e.amount::numeric > l.amount_original))
  from unnest($3::int4[], $4::text[], $5::text[]) as e (line_index, quantity, amount)
  where l.organization_id = $1 and l.original_id = $2 and l.line_index = e.line_index
  returning l.line_index, l.over_refunded`

interface MovedLine {
  readonly line_index: number
  readonly over_refunded: boolean
}

/** Raises an attention item where more of a line was given back than was sold. */
export const raiseOverRefunded = Effect.fnUntraced(function*(
  statements: PgStatements,
  refund: Pick<Conclusion, "organizationId" | "operationId" | "at">,
  originalId: string,
  moved: ReadonlyArray<MovedLine>
) {
  const over = moved.filter((line) => line.over_refunded).map((line) => line.line_index)
  if (over.length === 0) return
  yield* raiseItems(statements, refund, [overRefunded(originalId as FiscalDocumentId, over)])
})

/** Takes entries from the lines, or gives them back. `evenTooMuch` is for a receipt that exists whatever was sold. */
export const moveAccount = (
  statements: PgStatements,
  original: { readonly organizationId: string; readonly id: string },
  entries: ReadonlyArray<RefundEntry>,
  move: { readonly direction: 1 | -1; readonly evenTooMuch: boolean }
) =>
  statements.query<MovedLine>(take, [
    original.organizationId,
    original.id,
    entries.map((entry) => entry.originalLineIndex),
    entries.map((entry) => formatDecimal(entry.quantity)),
    entries.map((entry) => formatDecimal(entry.amount)),
    move.direction,
    move.evenTooMuch
  ])
