import {
  type Act,
  ActRefused,
  formatDecimal,
  type Invoice,
  InvoiceContent,
  type InvoiceEntry,
  type InvoiceIssued,
  type InvoiceNumber,
  Invoices,
  monthOf,
  type OrganizationId,
  paidOn,
  printedNumber
} from "@overa/domain"
import { Data, DateTime, Effect, Layer, Option, Schedule } from "effect"
import { recordActivity, rightNow } from "../administration/activity.ts"
import { constraints } from "../constraints.ts"
import { PgDatabase, type PgStatements } from "../PgDatabase.ts"
import { PgFailure } from "../PgFailure.ts"
import { utc } from "../rows/OperationRow.ts"
import { fromStoredJson, toStoredJson } from "../rows/storedJson.ts"

interface InvoiceRow {
  readonly issue_year: number
  readonly number: number
  readonly organization_id: OrganizationId
  readonly issued_at: Date
  readonly content: string
}

interface EntryRow extends InvoiceRow {
  readonly sequence: number | null
  readonly paid_on: string | null
  readonly noted_at: Date | null
  readonly actor: string | null
  readonly reason: string | null
}

/** Another transaction has taken the number. */
class NumberTaken extends Data.TaggedError("NumberTaken")<{}> {}
/** The organization has an invoice for the month. */
class MonthTaken extends Data.TaggedError("MonthTaken")<{}> {}

/** The most retries when several processes issue at the same time. */
const mostTries = 200
const nextTry = Schedule.jittered(Schedule.spaced("3 millis"))

// The number before it is the newest committed one: two processes that issue at the same time write the same number, and one of them retries.
const insertInvoice = `insert into invoices (issue_year, number, number_before, organization_id, month, issued_at, total, content)
select $1::int4, coalesce(last.number, 0) + 1, last.number, $2::uuid, $3::text, greatest($4::timestamptz, last.issued_at), $5::numeric, $6::text
from (select 1) one left join (select number, issued_at from invoices where issue_year = $1 order by number desc limit 1) last on true
returning issue_year, number, organization_id, issued_at, content`

const entries = `select i.issue_year, i.number, i.organization_id, i.issued_at, i.content, n.sequence, n.paid_on::text as paid_on, n.noted_at, n.actor, n.reason
from invoices i left join lateral (
  select sequence, paid_on, noted_at, actor, reason from payment_notes p where p.issue_year = i.issue_year and p.number = i.number order by sequence desc limit 1
) n on true`

const readOne = `${entries} where i.issue_year = $1 and i.number = $2`
const readOfOrganization = `${entries} where i.organization_id = $1 order by i.issue_year desc, i.number desc`
/** $1 whether they are paid or null, $2 and $3 before this number or null, $4 limit. */
const readList = `${entries} where ($1::boolean is null or (n.paid_on is not null) = $1) and ($2::int4 is null or (i.issue_year, i.number) < ($2, $3::int4))
order by i.issue_year desc, i.number desc limit $4`

const insertNote = `insert into payment_notes (issue_year, number, sequence, paid_on, noted_at, actor, reason) values ($1, $2, $3, $4::date, $5, $6, $7)`

const decodeContent = fromStoredJson(InvoiceContent)

const decodeInvoice = (row: InvoiceRow): Invoice => ({
  id: { year: row.issue_year, number: row.number },
  organizationId: row.organization_id,
  issuedAt: utc(row.issued_at),
  content: decodeContent(row.content)
})

const decodeEntry = (row: EntryRow): InvoiceEntry => ({
  invoice: decodeInvoice(row),
  payment: row.sequence === null || row.noted_at === null
    ? null
    : { sequence: row.sequence, paidOn: row.paid_on, notedAt: utc(row.noted_at), actor: row.actor ?? "", reason: row.reason ?? "" }
})

const takenBy = (failure: PgFailure): PgFailure | NumberTaken | MonthTaken => {
  if (failure.constraint === constraints.invoiceIssueNumber) return new NumberTaken()
  return failure.constraint === constraints.invoiceMonth ? new MonthTaken() : failure
}

const issueOnce = Effect.fnUntraced(function*(tx: PgStatements, act: Act, organizationId: OrganizationId, content: InvoiceContent) {
  const at = yield* DateTime.now
  const year = Number(monthOf(at).slice(0, 4))
  const values = [year, organizationId, content.month, DateTime.toDateUtc(at), formatDecimal(content.total, 2), toStoredJson(content)]
  const [row] = yield* Effect.mapError(tx.query<InvoiceRow>(insertInvoice, values), takenBy)
  if (row === undefined) return yield* Effect.die(new Error("an insertion without a row"))
  const invoice = decodeInvoice(row)
  const after = { month: content.month, total: formatDecimal(content.total, 2) }
  yield* recordActivity(tx, act, { organizationId, act: "invoice issued", subject: printedNumber(invoice.id), before: null, after })
  return { _tag: "Issued", invoice } satisfies InvoiceIssued
})

const refuse = (reason: ActRefused["reason"], detail: string) => new ActRefused({ reason, detail })

const refuseNote = (id: InvoiceNumber, entry: InvoiceEntry | undefined, day: string | null): ActRefused | null => {
  if (entry === undefined) return refuse("INVOICE_NOT_FOUND", `There is no invoice ${printedNumber(id)}.`)
  const was = paidOn(entry)
  if (day !== null && was !== null) return refuse("INVOICE_ALREADY_PAID", `Invoice ${printedNumber(id)} is paid since ${was}.`)
  return day === null && was === null ? refuse("INVOICE_NOT_PAID", `Invoice ${printedNumber(id)} is not paid.`) : null
}

const noteOnce = Effect.fnUntraced(function*(tx: PgStatements, act: Act, id: InvoiceNumber, day: string | null) {
  const [row] = yield* tx.query<EntryRow>(readOne, [id.year, id.number])
  const entry = row === undefined ? undefined : decodeEntry(row)
  const refusal = refuseNote(id, entry, day)
  if (refusal !== null || entry === undefined) return yield* refusal ?? Effect.die(new Error("a note about no invoice"))
  const { invoice, payment } = entry
  const values = [id.year, id.number, (payment?.sequence ?? 0) + 1, day, yield* rightNow, act.actor, act.reason]
  yield* Effect.mapError(tx.query(insertNote, values), (failure) =>
    failure.constraint === constraints.paymentNote ? refuse("CHANGED_MEANWHILE", `Somebody else has noted something about ${printedNumber(id)} meanwhile; look again.`) : failure)
  const deed = { act: day === null ? "invoice found not paid" : "invoice paid", subject: printedNumber(id), before: { paidOn: paidOn(entry) }, after: { paidOn: day } }
  yield* recordActivity(tx, act, { organizationId: invoice.organizationId, ...deed })
})

const make = Effect.gen(function*() {
  const database = yield* PgDatabase
  const list = (sql: string, values: ReadonlyArray<unknown>) => Effect.map(database.read<EntryRow>(sql, values), (rows) => rows.map(decodeEntry))
  return Invoices.of({
    issue: (act, organizationId, content) =>
      database.transaction((tx) => issueOnce(tx, act, organizationId, content)).pipe(
        Effect.retry({ while: (error) => error instanceof NumberTaken, times: mostTries, schedule: nextTry }),
        Effect.catchTag("MonthTaken", () => Effect.succeed<InvoiceIssued>({ _tag: "AlreadyIssued" })),
        Effect.catchTag("NumberTaken", (error) => Effect.die(error)),
        Effect.withSpan("Invoices.issue")
      ),
    find: (id) => Effect.map(list(readOne, [id.year, id.number]), ([entry]) => Option.fromNullishOr(entry)),
    ofOrganization: (organizationId) => list(readOfOrganization, [organizationId]),
    list: ({ before, limit, paid }) => list(readList, [paid, before?.year ?? null, before?.number ?? null, limit]),
    notePayment: (act, id, day) => Effect.withSpan(database.transaction((tx) => noteOnce(tx, act, id, day)), "Invoices.notePayment")
  })
})

/** Issued invoices and what was noted about their payment. */
export const layerInvoices: Layer.Layer<Invoices, never, PgDatabase> = Layer.effect(Invoices, make)
