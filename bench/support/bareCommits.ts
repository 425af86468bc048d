import type { Conclusion, Reservation } from "@overa/domain"
import type pg from "pg"
import { concludeOne, concludeOneParameters } from "../../adapters/postgres/src/operations/concludeStatement.ts"
import { reserveOne, reserveOneParameters } from "../../adapters/postgres/src/operations/reserveStatement.ts"
import { mintPlace, sampleAnswer, sampleContent, sampleOperation, sampleReservation, signed } from "../../contract-tests/src/support/sampleOperations.ts"

/** Both commits of one sale. */
export interface Sale {
  readonly reservation: Reservation
  readonly conclusion: Conclusion
}

const content = sampleContent(10)
const body = JSON.stringify({ padding: "x".repeat(2_700) })
const place = mintPlace()

/** A sale of ten lines, a body of 2.7 KB, an answer of some 4 KB. */
export const mintSale = (): Sale => {
  const plain = sampleOperation(place)
  const operation = { ...plain, content, boundKey: { ...plain.boundKey, body } }
  const answer = sampleAnswer()
  const large = { ...answer, text: answer.text.padEnd(4_000, " "), pfr: { ...answer.pfr, journal: answer.pfr.journal.repeat(40) } }
  return { reservation: sampleReservation(operation), conclusion: signed(operation, { answer: large }) }
}

/** The driver's typed parameters as `pg` takes them. */
const plainParameter = (parameter: unknown): unknown => {
  const { oid, value } = parameter as { readonly oid: number; readonly value: unknown }
  const instant = (at: unknown) => (typeof at === "number" ? new Date(at) : at)
  if (oid === 1184) return instant(value)
  return oid === 1185 && Array.isArray(value) ? value.map(instant) : value
}

/** The bar: the `pg` driver, named prepared statements, one statement per commit, exactly the rows our store writes. */
export const bareCommits = (pool: pg.Pool) => async ({ reservation, conclusion }: Sale): Promise<void> => {
  const reserve = reserveOneParameters(reservation).map(plainParameter)
  const reserved = await pool.query({ name: "reserve", text: reserveOne, values: reserve })
  const conclude = concludeOneParameters(conclusion).map(plainParameter)
  const concluded = await pool.query({ name: "conclude", text: concludeOne, values: conclude })
  if (reserved.rowCount !== 1 || concluded.rowCount !== 1) throw new Error("a bare commit wrote nothing")
}
