import { type ClaimedDelivery, deliveryChange, DeliveryOutbox, Identifiers, nextDeliveryStatus, type ReceiptDelivery } from "@overa/domain"
import { DateTime, Effect, Layer, Result } from "effect"
import { noteChanges } from "./events/noteChanges.ts"
import { PgDatabase, type PgStatements } from "./PgDatabase.ts"
import { raiseItems } from "./operations/raise.ts"
import { decodeDelivery, deliveryColumns, type DeliveryRow } from "./rows/DeliveryRow.ts"
import { utc } from "./rows/OperationRow.ts"

interface Candidate {
  readonly organization_id: string
  readonly delivery_id: string
}

type ClaimedRow = DeliveryRow & { readonly handing_over_at: Date | null }

interface WaitingRow {
  readonly organization_id: string
  readonly fiscal_document_id: string
  readonly delivery_id: string
  readonly waiting_since: Date
  readonly now: Date
}

// Over all organizations this only reads; rows are locked one organization at a time, as a distributed database requires (docs/scaling.md). Round
// robin over the organizations, longest due first: one that has queued thousands does not delay another's single message.
const dueStatement = `select organization_id, delivery_id from (
  select organization_id, delivery_id, due_at, row_number() over (partition by organization_id order by due_at, delivery_id) as turn from (
    select organization_id, delivery_id, due_at from receipt_deliveries
    where status = 'QUEUED' and due_at <= $1 and (claimed_until is null or claimed_until <= $1) order by due_at limit 10000) longest) in_turns
order by turn, due_at limit $2`

const claimStatement = `update receipt_deliveries set claim = $3, claimed_until = $4
where organization_id = $1 and delivery_id = any ($2::uuid[]) and status = 'QUEUED' and (claimed_until is null or claimed_until <= $5)
returning ${deliveryColumns}, handing_over_at`

const held = "organization_id = $1 and delivery_id = $2 and claim = $3 and status = 'QUEUED'"

// A claim that has ended may belong to another worker by now: nothing is sent under it.
const beginStatement = `update receipt_deliveries set handing_over_at = $4, claimed_until = $5 where ${held} and claimed_until > $4 returning delivery_id`

const concludeStatement = `update receipt_deliveries set status = $4, attempts = $5, maybe_taken = $6, last_error = $7, failure = $8, updated_at = $9,
  due_at = $10, waiting_since = case when $11::boolean then $10 else waiting_since end, handing_over_at = null, claim = null, claimed_until = null
where ${held} returning delivery_id`

const releaseStatement = `update receipt_deliveries set due_at = $4, handing_over_at = null, claim = null, claimed_until = null
where ${held} and handing_over_at is null`

const waitingStatement = `select d.organization_id, d.fiscal_document_id, d.delivery_id, d.waiting_since, now() as now from receipt_deliveries d
where d.status = 'QUEUED' and d.waiting_since < now() - $1::float8 * interval '1 millisecond' order by d.waiting_since limit 1`

const openStatement = "select 1 from attention where kind = 'DELIVERY_WAITING' and acknowledged_at is null limit 1"

/** Ends the attempt, and notes the change where the delivery ended with it. */
const concludeAndNote = Effect.fnUntraced(function*(
  tx: PgStatements,
  { delivery }: ClaimedDelivery,
  status: ReceiptDelivery["status"],
  at: number,
  values: ReadonlyArray<unknown>
) {
  if ((yield* tx.query(concludeStatement, values)).length === 0) return false
  if (status !== "QUEUED") yield* noteChanges(tx, delivery, [deliveryChange({ ...delivery, status }, DateTime.makeUnsafe(at))])
  return true
})

const keyOf = ({ claim, delivery }: ClaimedDelivery) => [delivery.organizationId, delivery.id, claim]

const make = Effect.gen(function*() {
  const database = yield* PgDatabase
  const identifiers = yield* Identifiers
  // One clock for every host and every claim: the database's.
  const now = Effect.map(database.read<{ readonly now: Date }>("select now() as now"), ([row]) => row?.now.getTime() ?? 0)
  return DeliveryOutbox.of({
    claimDue: Effect.fn("DeliveryOutbox.claimDue")(function*(limit: number, leaseMillis: number) {
      const at = yield* now
      const candidates = yield* database.read<Candidate>(dueStatement, [new Date(at), limit])
      const claims: Array<ClaimedDelivery> = []
      for (const [organizationId, own] of Map.groupBy(candidates, (one) => one.organization_id)) {
        const claim = yield* identifiers.uuid
        const ids = own.map((one) => one.delivery_id)
        const rows = yield* database.read<ClaimedRow>(claimStatement, [organizationId, ids, claim, new Date(at + leaseMillis), new Date(at)])
        claims.push(...rows.map((row) => ({ delivery: decodeDelivery(row), claim, interrupted: row.handing_over_at !== null })))
      }
      return claims
    }),
    beginSending: Effect.fn("DeliveryOutbox.beginSending")(function*(claimed, leaseMillis) {
      const at = yield* now
      return (yield* database.read(beginStatement, [...keyOf(claimed), new Date(at), new Date(at + leaseMillis)])).length > 0
    }),
    conclude: Effect.fn("DeliveryOutbox.conclude")(function*(claimed, after) {
      const at = yield* now
      const status = Result.getOrThrow(nextDeliveryStatus("QUEUED", after.event))
      const concluded = yield* database.transaction((tx) => concludeAndNote(tx, claimed, status, at, [
        ...keyOf(claimed),
        status,
        after.attempts,
        after.maybeTaken,
        after.lastError,
        after.failure,
        new Date(at),
        new Date(at + (after.nextAttemptInMillis ?? 0)),
        // A mail server's answer "later" is not a wait of the service; a transport that is down is.
        after.attempts > claimed.delivery.attempts
      ]))
      return concluded
    }),
    release: Effect.fn("DeliveryOutbox.release")(function*(claimed, dueInMillis) {
      yield* database.read(releaseStatement, [...keyOf(claimed), new Date((yield* now) + dueInMillis)])
    }),
    raiseWaiting: Effect.fn("DeliveryOutbox.raiseWaiting")(function*(waitingMillis) {
      const [row] = yield* database.read<WaitingRow>(waitingStatement, [waitingMillis])
      if (row === undefined || (yield* database.read(openStatement)).length > 0) return false
      const about = {
        organizationId: row.organization_id,
        operationId: row.fiscal_document_id,
        at: utc(row.now)
      } as Parameters<typeof raiseItems>[1]
      const detail = `delivery ${row.delivery_id} waits for the mail server since ${row.waiting_since.toISOString()}`
      yield* database.transaction((tx) => raiseItems(tx, about, [{ kind: "DELIVERY_WAITING", detail, evidence: null }]))
      return true
    })
  })
})

/** The queue of deliveries as workers see it. */
export const layerDeliveryOutbox: Layer.Layer<DeliveryOutbox, never, PgDatabase | Identifiers> = Layer.effect(DeliveryOutbox, make)
