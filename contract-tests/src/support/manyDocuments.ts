import { Effect, Result } from "effect"
import { randomBytes } from "node:crypto"
import type pg from "pg"
import { DocumentStatus, InvoiceType, type Operation, OperationStore, readSignedAnswer, type SignedAnswer, type Tenant } from "@overa/domain"
import { historyAnswer, historyOperation, storeHistory } from "./sampleHistory.ts"

/** Documents inserted by one statement: the server writes what a statement joins to temporary files, 20 kB for each. */
const documentsAtOnce = 50_000

/** Documents stored through the real path, which `multiplyDocuments` multiplies. */
const patterns = 400

const journalLine = `${"Шећер   125,50       1,250       125,50".padEnd(40)}\r\n`

/** An answer as a V-PFR writes it: the whole text with its link, signature, internal data and a journal of thirty lines. */
const wholeAnswer = (operation: Operation, at: number, number: string): SignedAnswer => {
  const said = historyAnswer(at, operation.createdAt, number)
  const jid = number.slice(0, 8)
  const text = JSON.stringify({
    requestedBy: jid,
    sdcDateTime: said.pfr.sdcTime,
    invoiceCounter: `${at + 1}/${at + 1}ПП`,
    invoiceCounterExtension: "ПП",
    invoiceNumber: number,
    taxItems: said.taxes.map(({ amount, label }) => ({ label, categoryName: "ПДВ", categoryType: 0, rate: 20, amount: Number(amount.value) / 10 ** amount.scale })),
    verificationUrl: `https://pfr.test/v/?vl=${encodeURIComponent(randomBytes(572).toString("base64"))}`,
    verificationQRCode: null,
    journal: `============ ФИСКАЛНИ РАЧУН ============\r\n${number}\r\n${journalLine.repeat(30)}======== КРАЈ ФИСКАЛНОГ РАЧУНА =========\r\n`,
    messages: "Успешно",
    signedBy: jid,
    encryptedInternalData: randomBytes(256).toString("base64"),
    signature: randomBytes(256).toString("base64"),
    totalCounter: at + 1,
    transactionTypeCounter: at + 1,
    totalAmount: at % 4 === 0 ? 251 : 125.5,
    taxGroupRevision: 4,
    businessName: "СИМУЛАТОР д.о.о.",
    tin: "101883300"
  })
  return Result.getOrThrow(readSignedAnswer(text)).answer
}

/** With units as requests have them: a few documents of a history have one of half a megabyte, which no request may have. */
const withUsualUnits = (operation: Operation): Operation => ({
  ...operation,
  content: { ...operation.content, items: operation.content.items.map((item) => ({ ...item, unitOfMeasure: "ком" })) }
})

/** Stores the documents that `multiplyDocuments` multiplies, of every kind and status, in the way sales store them. */
export const storePatterns = Effect.fnUntraced(function*(pattern: Parameters<typeof historyOperation>[0][number]) {
  const store = yield* OperationStore
  const places = Array.from({ length: patterns }, (_, at) => at)
  yield* Effect.forEach(places, (at) => storeHistory(store, withUsualUnits(historyOperation([pattern], at)), at, wholeAnswer), { concurrency: 8 })
})

const columnsOf = async (client: pg.Client, table: string): Promise<ReadonlyArray<string>> =>
  (await client.query("select column_name from information_schema.columns where table_name = $1 order by ordinal_position", [table])).rows.map(({ column_name }) => column_name)

const signedAt = `to_char(n.at at time zone 'UTC' + interval '2 seconds', 'YYYY-MM-DD"T"HH24:MI:SS.MS') || '+00:00'`
const renumbered = (column: string): string =>
  `replace(replace(o.${column}, o.invoice_number, 'ABCD2345-ABCD2345-' || n.i), o.pfr_time, ${signedAt})`

/** The columns in which a copy differs; everything else is as the real path wrote it. */
const changed = (to: Tenant): Readonly<Record<string, string>> => ({
  organization_id: `'${to.organizationId}'::uuid`,
  operation_id: "n.id",
  key: "'key-' || n.id",
  client_reference: "o.client_reference || '-' || n.i",
  content: "replace(o.content, o.client_reference, o.client_reference || '-' || n.i)",
  created_at: "n.at",
  updated_at: "n.at + interval '2 seconds'",
  started_at: "case when o.started_at is null then null else n.at end",
  request_id: "case when o.request_id is null then null else replace(n.id::text, '-', '') end",
  invoice_number: "case when o.invoice_number is null then null else 'ABCD2345-ABCD2345-' || n.i end",
  pfr_time: `case when o.pfr_time is null then null else ${signedAt} end`,
  sdc_time: "case when o.sdc_time is null then null else n.at + interval '2 seconds' end",
  answer_text: renumbered("answer_text"),
  answer_facts: renumbered("answer_facts"),
  key_body_packed: "null",
  key_body: "'{}'"
})

/** How many documents `multiplyDocuments` makes, and of which times. */
export interface Multiplied {
  readonly count: number
  /** Their times are spread evenly over so many days. */
  readonly days: number
  /** The last of them is so many days old; 0 if left out. */
  readonly endedDaysAgo?: number
  /** Patterns of other statuses are left out; all are taken if left out. */
  readonly statuses?: ReadonlyArray<DocumentStatus>
  /** Patterns of other types are left out; all are taken if left out. */
  readonly invoiceTypes?: ReadonlyArray<InvoiceType>
}

/**
 * Multiplies the patterns that have one of the statuses and types, inside the server: with other ids, references, keys, numbers and times. An organization may
 * be given more documents: their numbers continue.
 */
export const multiplyDocuments = async (
  client: pg.Client,
  from: Tenant,
  to: Tenant,
  { count, days, endedDaysAgo = 0, statuses = DocumentStatus.literals, invoiceTypes = InvoiceType.literals }: Multiplied
): Promise<void> => {
  const own = changed(to)
  const { rows: [before] } = await client.query("select count(*)::int as documents from operations where organization_id = $1", [to.organizationId])
  const columns = await columnsOf(client, "operations")
  const sql = `insert into operations (${columns.join(", ")})
     select ${columns.map((column) => own[column] ?? `o.${column}`).join(", ")}
     from (select $5 + i as i, gen_random_uuid() as id,
         date_trunc('milliseconds', now() - interval '1 hour' - interval '${endedDaysAgo} days' - (i::float8 / $3) * interval '${days} days') as at
       from generate_series($6::int, $7::int) i) n
     join (select *, row_number() over (order by operation_id) as place from operations where organization_id = $1 and environment = $2 and status = any ($4) and invoice_type = any ($8)) o
       on o.place = 1 + n.i % (select count(*) from operations where organization_id = $1 and environment = $2 and status = any ($4) and invoice_type = any ($8))`
  for (let first = 1; first <= count; first += documentsAtOnce) {
    const last = Math.min(count, first + documentsAtOnce - 1)
    await client.query(sql, [from.organizationId, from.environment, count, statuses, before.documents, first, last, invoiceTypes])
  }
}
