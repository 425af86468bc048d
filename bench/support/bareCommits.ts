import { type Conclusion, type DocumentContent, formatDecimal, readSignedAnswer, type Reservation, type SignedAnswer } from "@overa/domain"
import { layerDatabase, migrate, migrations } from "@overa/adapter-postgres"
import { Effect, Redacted, Result } from "effect"
import pg from "pg"
import { concludeParameters, concludeStatement } from "../../adapters/postgres/src/operations/concludeStatement.ts"
import { reserveParameters, reserveStatement } from "../../adapters/postgres/src/operations/reserve.ts"
import { composeInvoiceRequest } from "../../adapters/vpfr/src/composeInvoiceRequest.ts"
import * as reserving from "../../contract-tests/test/reference/reserveStatement.ts"
import { plainParameter } from "../../contract-tests/test/reference/plainParameter.ts"
import * as concluding from "../../contract-tests/test/reference/concludeStatement.ts"
import { mintPlace, sampleContent, sampleOperation, sampleReservation, signed } from "../../contract-tests/src/support/sampleOperations.ts"
import { cleanAnswersTo } from "./cleanAnswer.ts"

const lastReferenceMigration = 12
const reference = { ...reserving, ...concluding }

/** Both commits of one sale. */
export interface Sale {
  readonly reservation: Reservation
  readonly conclusion: Conclusion
}

// The body of a sale as a shop's program writes it; the content is decoded from it.
const bodyOf = (content: DocumentContent): string => JSON.stringify({
  taxpayerId: "0198a7e2-7a41-7cc2-9a6b-0f4a86d3c101",
  businessPremiseId: "0198a7e2-7a41-7cc2-9a6b-0f4a86d3c102",
  invoiceType: "NORMAL",
  transactionType: "SALE",
  clientReference: content.clientReference,
  cashier: content.cashier,
  buyer: content.buyer,
  items: content.items.map((item) => ({
    name: item.name,
    unitOfMeasure: item.unitOfMeasure,
    quantity: Number(formatDecimal(item.quantity)),
    unitPrice: Number(formatDecimal(item.unitPrice)),
    gtin: item.gtin,
    taxLabels: item.taxLabels
  })),
  payments: content.payments.map(({ type, amount }) => ({ type, amount: Number(formatDecimal(amount)) })),
  metadata: { order: "4711", channel: "web" }
}, null, 1)

/** What the sales of so many lines have in common: an answer like that of the whole path's signer. */
const shapeOf = (lines: number) => {
  const content = sampleContent(lines)
  const { answer } = Result.getOrThrow(readSignedAnswer(JSON.stringify(cleanAnswersTo(composeInvoiceRequest(content, "sandbox"), "TESTJID1")(1))))
  return { content, body: bodyOf(content), answer }
}
const shapes = new Map<number, ReturnType<typeof shapeOf>>()
const knownShape = (lines: number): ReturnType<typeof shapeOf> => {
  const shape = shapes.get(lines) ?? shapeOf(lines)
  shapes.set(lines, shape)
  return shape
}
const place = mintPlace()
let counter = 1

/** Every sale has a number of its own in its answer. */
const mintAnswer = (first: SignedAnswer): SignedAnswer => {
  const invoiceNumber = `TESTJID1-BENCH001-${process.pid}${(counter += 1)}`
  const withNumber = (text: string) => text.replaceAll(first.pfr.invoiceNumber, invoiceNumber)
  return { ...first, text: withNumber(first.text), pfr: { ...first.pfr, invoiceNumber, journal: withNumber(first.pfr.journal) } }
}

/** A sale, of ten lines where no other number is given (a body of 2.7 KB, an answer of some 4 KB); of one organization unless another place is named. */
export const mintSale = (at: ReturnType<typeof mintPlace> = place, lines = 10): Sale => {
  const { answer, body, content } = knownShape(lines)
  const plain = sampleOperation(at)
  const operation = { ...plain, content, boundKey: { ...plain.boundKey, body } }
  return { reservation: sampleReservation(operation), conclusion: signed(operation, { answer: mintAnswer(answer) }) }
}

/**
 * The connections of the reference. The server closes idle ones at the end of the run, which is not an error; a statement's error is thrown by the
 * statement.
 */
export const barePool = (connectionString: string): pg.Pool => {
  const pool = new pg.Pool({ connectionString, max: 16 })
  pool.on("error", () => undefined)
  return pool
}

/** Two statements of the `pg` driver, named and prepared, one for each commit. `between` is the pause of a sale between them. */
const commits = (
  pool: pg.Pool,
  reserve: { readonly name: string; readonly text: string; readonly values: (reservation: Reservation) => ReadonlyArray<unknown> },
  conclude: { readonly name: string; readonly text: string; readonly values: (conclusion: Conclusion) => ReadonlyArray<unknown> },
  between?: () => Promise<void>
) =>
async ({ reservation, conclusion }: Sale): Promise<void> => {
  const reserved = await pool.query({ ...reserve, values: reserve.values(reservation).map(plainParameter) })
  await between?.()
  const concluded = await pool.query({ ...conclude, values: conclude.values(conclusion).map(plainParameter) })
  if (reserved.rowCount !== 1 || concluded.rowCount !== 1) throw new Error("a bare commit wrote nothing")
}

/** Connections to a database with the schema of the reference, on the same server. */
export const referencePool = async (urlOf: (database: string) => string): Promise<pg.Pool> => {
  const client = new pg.Client({ connectionString: urlOf("postgres") })
  await client.connect()
  await client.query("create database reference")
  await client.end()
  const database = layerDatabase({ url: Redacted.make(urlOf("reference")), applicationName: "reference" })
  await Effect.runPromise(Effect.provide(migrate(migrations.slice(0, lastReferenceMigration)), database))
  return barePool(urlOf("reference"))
}

/** The bare writer: exactly the rows and statements of our store, without the rest. */
export const bareCommits = (pool: pg.Pool, between?: () => Promise<void>) =>
  commits(
    pool,
    { name: "reserve", text: reserveStatement, values: reserveParameters },
    { name: "conclude", text: concludeStatement, values: (conclusion) => concludeParameters({ ...conclusion, packsAnswer: true }) },
    between
  )

/**
 * The fixed reference: the rows and statements of the release before the first attempt and the transitions moved into the operation's row
 * (`contract-tests/test/reference`), over a database with the schema of that release. It never changes, so that figures of different releases can be
 * compared.
 */
export const referenceCommits = (pool: pg.Pool, between?: () => Promise<void>) =>
  commits(
    pool,
    { name: "reference reserve", text: reference.reserveOne, values: reference.reserveOneParameters },
    { name: "reference conclude", text: reference.concludeOne, values: reference.concludeOneParameters },
    between
  )

/** The reference with several sales in one statement: the gain of shared commits alone. */
export const referenceBatches = (pool: pg.Pool) => async (sales: ReadonlyArray<Sale>): Promise<void> => {
  const reserve = reference.reserveManyParameters(sales.map(({ reservation }) => reservation)).map(plainParameter)
  const reserved = await pool.query({ name: "reference reserve many", text: reference.reserveMany, values: reserve })
  const conclude = reference.concludeManyParameters(sales.map(({ conclusion }) => conclusion)).map(plainParameter)
  const concluded = await pool.query({ name: "reference conclude many", text: reference.concludeMany, values: conclude })
  if (reserved.rowCount !== sales.length || concluded.rowCount !== sales.length) throw new Error("a batch wrote too little")
}
