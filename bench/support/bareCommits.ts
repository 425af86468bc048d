import { type Conclusion, readSignedAnswer, type Reservation, type SignedAnswer } from "@overa/domain"
import { Result } from "effect"
import pg from "pg"
import { concludeMany, concludeManyParameters, concludeOne, concludeOneParameters } from "../../adapters/postgres/src/operations/concludeStatement.ts"
import { reserveMany, reserveManyParameters, reserveOne, reserveOneParameters } from "../../adapters/postgres/src/operations/reserveStatement.ts"
import { composeInvoiceRequest } from "../../adapters/vpfr/src/composeInvoiceRequest.ts"
import { mintPlace, sampleContent, sampleOperation, sampleReservation, signed } from "../../contract-tests/src/support/sampleOperations.ts"
import { cleanAnswersTo } from "./cleanAnswer.ts"

/** Both commits of one sale. */
export interface Sale {
  readonly reservation: Reservation
  readonly conclusion: Conclusion
}

const content = sampleContent(10)
const body = JSON.stringify({ padding: "x".repeat(2_700) })
const place = mintPlace()

// An answer as the whole path's signer gives it. Every sale has a number of its own in it.
const first = Result.getOrThrow(readSignedAnswer(JSON.stringify(cleanAnswersTo(composeInvoiceRequest(content, "sandbox"), "TESTJID1")(1)))).answer
let counter = 1

const mintAnswer = (): SignedAnswer => {
  const invoiceNumber = `TESTJID1-BENCH001-${process.pid}${(counter += 1)}`
  const withNumber = (text: string) => text.replaceAll(first.pfr.invoiceNumber, invoiceNumber)
  return { ...first, text: withNumber(first.text), pfr: { ...first.pfr, invoiceNumber, journal: withNumber(first.pfr.journal) } }
}

/** A sale of ten lines, a body of 2.7 KB, an answer of some 4 KB. */
export const mintSale = (): Sale => {
  const plain = sampleOperation(place)
  const operation = { ...plain, content, boundKey: { ...plain.boundKey, body } }
  return { reservation: sampleReservation(operation), conclusion: signed(operation, { answer: mintAnswer() }) }
}

/** The driver's typed parameters as `pg` takes them. */
const plainParameter = (parameter: unknown): unknown => {
  const { oid, value } = parameter as { readonly oid: number; readonly value: unknown }
  const instant = (at: unknown) => (typeof at === "number" ? new Date(at) : at)
  if (oid === 1184) return instant(value)
  return oid === 1185 && Array.isArray(value) ? value.map(instant) : value
}

/** The bar's connections. The end of the run's server ends idle ones, which is no fault; what fails a statement is thrown by the statement. */
export const barePool = (connectionString: string): pg.Pool => {
  const pool = new pg.Pool({ connectionString, max: 16 })
  pool.on("error", () => undefined)
  return pool
}

/**
 * The bar: the `pg` driver, named prepared statements, one statement per commit, exactly the rows our store writes. `between` is what a sale
 * waits for between its two commits.
 */
export const bareCommits = (pool: pg.Pool, between?: () => Promise<void>) => async ({ reservation, conclusion }: Sale): Promise<void> => {
  const reserve = reserveOneParameters(reservation).map(plainParameter)
  const reserved = await pool.query({ name: "reserve", text: reserveOne, values: reserve })
  await between?.()
  const conclude = concludeOneParameters(conclusion).map(plainParameter)
  const concluded = await pool.query({ name: "conclude", text: concludeOne, values: conclude })
  if (reserved.rowCount !== 1 || concluded.rowCount !== 1) throw new Error("a bare commit wrote nothing")
}

/** The same driver and rows, several sales to a statement: what sharing commits gains by itself. */
export const batchedCommits = (pool: pg.Pool) => async (sales: ReadonlyArray<Sale>): Promise<void> => {
  const reserve = reserveManyParameters(sales.map(({ reservation }) => reservation)).map(plainParameter)
  const reserved = await pool.query({ name: "reserve many", text: reserveMany, values: reserve })
  const conclude = concludeManyParameters(sales.map(({ conclusion }) => conclusion)).map(plainParameter)
  const concluded = await pool.query({ name: "conclude many", text: concludeMany, values: conclude })
  if (reserved.rowCount !== sales.length || concluded.rowCount !== sales.length) throw new Error("a batch wrote too little")
}
