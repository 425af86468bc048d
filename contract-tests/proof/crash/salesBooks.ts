import { type Concluded, type Conclusion, OperationStore, type Reservation, type Reserved, type StoreUnavailable } from "@overa/domain"
import { Effect, Schedule } from "effect"
import pg from "pg"
import { mintPlace, sampleOperation, sampleReservation, signed } from "../../src/support/sampleOperations.ts"

/** Both commits of one sale. */
export interface Sale {
  readonly reservation: Reservation
  readonly conclusion: Conclusion
}

export const mintSale = (): Sale => {
  const operation = sampleOperation(mintPlace())
  return { reservation: sampleReservation(operation), conclusion: signed(operation) }
}

/** A host's behaviour while the database is down: the same commit again, whatever the result of the one before. */
const untilStored = <A>(commit: Effect.Effect<A, StoreUnavailable>, onTrouble: (error: StoreUnavailable) => void) =>
  Effect.retry(Effect.tapError(commit, (error) => Effect.sync(() => onTrouble(error))), { times: 400, schedule: Schedule.spaced("25 millis") })

/** Stores a sale despite failures; answers the store's result of each commit. */
export const sell = Effect.fnUntraced(function*(sale: Sale, onTrouble: (error: StoreUnavailable) => void = () => undefined) {
  const store = yield* OperationStore
  const reserved: Reserved = yield* untilStored(store.reserve(sale.reservation), onTrouble)
  const concluded: Concluded = yield* untilStored(store.conclude(sale.conclusion), onTrouble)
  return `${reserved._tag} ${concluded._tag}`
})

/** The rows in the database, and those that must exist for acknowledged sales: they are compared completely. */
export const booksOf = async (url: string, acknowledged: ReadonlyArray<Sale>) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    `select o.operation_id, o.status, o.invoice_number, o.answer_text,
       length(o.history) - length(replace(o.history, E'\\n', '')) as transitions,
       num_nonnulls(o.request_id) + (select count(*)::int from attempts a
         where a.organization_id = o.organization_id and a.operation_id = o.operation_id) as attempts
     from operations o order by o.operation_id`
  )
  await client.end()
  const expected = acknowledged.map(({ conclusion }) => ({
    operation_id: conclusion.operationId as string,
    status: "FISCALIZED",
    invoice_number: conclusion.answer?.pfr.invoiceNumber,
    answer_text: conclusion.answer?.text,
    transitions: 4,
    attempts: 1
  }))
  return { stored: rows, expected: expected.toSorted((left, right) => (left.operation_id < right.operation_id ? -1 : 1)) }
}
