import { type ClaimedWebhook, Identifiers, mostOnTheirWay, type Tenant, WebhookOutbox } from "@overa/domain"
import { Effect, Layer, Result } from "effect"
import { PgDatabase, type PgStatements } from "../PgDatabase.ts"
import { readEventsFrom } from "../PgEventFeed.ts"
import type { Mails } from "../people/PgPersonMails.ts"
import { Conclusion, gatheredConclusions, repeatable } from "./concludeAttempts.ts"
import { endpointColumns, type EndpointRow, readEndpoint } from "./endpointRows.ts"
import { messageOf, queueMessages } from "./queueMessages.ts"

/** Endpoints that have not got every event that exists. A paused one gets them when it is resumed. */
const behind = `select e.organization_id, e.endpoint_id from webhook_endpoints e
join event_heads h on h.organization_id = e.organization_id and h.environment = e.environment
where e.status = 'ACTIVE' and h.sequence > e.sequence limit 1000`

const lockBehind = `select ${endpointColumns} from webhook_endpoints where organization_id = $1 and endpoint_id = $2 and status = 'ACTIVE' for update skip locked`

const moveOn = "update webhook_endpoints set sequence = $3 where organization_id = $1 and endpoint_id = $2"

/** Over all organizations this only reads. $1: endpoints looked at. */
const waiting = `select e.organization_id, e.endpoint_id from webhook_endpoints e
where e.status = 'ACTIVE' and e.try_at <= now() and exists (
  select from webhook_messages m where m.organization_id = e.organization_id and m.endpoint_id = e.endpoint_id and m.status = 'PENDING'
    and m.due_at <= now() and (m.claimed_until is null or m.claimed_until <= now()))
order by random() limit $1`

const lockWaiting = `select ${endpointColumns}, failures, (select count(*)::int from webhook_messages m where m.organization_id = $1 and m.endpoint_id = $2
    and m.status = 'PENDING' and m.claimed_until > now()) as in_flight
from webhook_endpoints where organization_id = $1 and endpoint_id = $2 and status = 'ACTIVE' and try_at <= now() for update skip locked`

/** $1 organization, $2 endpoint, $3 rows, $4 claim, $5 lease. An earlier message of the same resource that waits, due or not, keeps the later ones back. */
export const claim = `update webhook_messages set claim = $4, claimed_until = now() + $5::float8 * interval '1 millisecond'
where organization_id = $1 and endpoint_id = $2 and position = any (array(
  select m.position from webhook_messages m where m.organization_id = $1 and m.endpoint_id = $2 and m.status = 'PENDING' and m.due_at <= now()
    and (m.claimed_until is null or m.claimed_until <= now())
    and not exists (select from webhook_messages b where b.organization_id = $1 and b.endpoint_id = $2 and b.status = 'PENDING'
      and b.resource = m.resource and b.position < m.position offset 0)
  order by m.position limit $3))
returning position, event_id, body, attempts`

/** An endpoint whose secrets do not open waits so long: an operator has to bring back their key. */
const setAside = "update webhook_endpoints set try_at = now() + interval '1 minute' where organization_id = $1 and endpoint_id = $2"

/** What waits for an endpoint that was removed is sent to nobody. The removal ends it; this ends what one of an earlier release has left. */
const endRemoved = `update webhook_messages m set status = 'FAILED', claim = null, claimed_until = null from webhook_endpoints e
where e.organization_id = m.organization_id and e.endpoint_id = m.endpoint_id and e.status = 'REMOVED' and m.status = 'PENDING'`

interface MessageRow {
  readonly position: bigint
  readonly event_id: string
  readonly body: string
  readonly attempts: number
}
type Place = Pick<EndpointRow, "organization_id" | "endpoint_id">

/** Events that one commit gives to one endpoint. */
const eventsAtOnce = 500

const enqueueOne = Effect.fnUntraced(function*(tx: PgStatements, place: Place) {
  const [row] = yield* tx.query<EndpointRow>(lockBehind, [place.organization_id, place.endpoint_id])
  if (row === undefined) return false
  const tenant: Tenant = { organizationId: row.organization_id, environment: row.environment }
  const events = yield* readEventsFrom(tx, tenant, Number(row.sequence) + 1, eventsAtOnce)
  const last = events.at(-1)
  if (last === undefined) return false
  yield* queueMessages(tx, row, events.filter(({ type }) => row.event_types === null || row.event_types.includes(type)).map(messageOf))
  yield* tx.query(moveOn, [row.organization_id, row.endpoint_id, last.sequence])
  return events.length === eventsAtOnce
})

/** The first endpoint of each organization, then the second of each. */
const inTurns = (places: ReadonlyArray<Place>): ReadonlyArray<Place> =>
  [...Map.groupBy(places, ({ organization_id }) => organization_id).values()]
    .flatMap((own) => own.map((place, turn) => ({ place, turn })))
    .toSorted((one, other) => one.turn - other.turn)
    .map(({ place }) => place)

const make = Effect.fnUntraced(function*(mails: Omit<Mails, "uuid">) {
  const database = yield* PgDatabase
  const { uuid } = yield* Identifiers
  const read = readEndpoint(mails.secrets)
  const conclusions = gatheredConclusions(database, { ...mails, uuid })
  const claimOne = Effect.fnUntraced(function*(tx: PgStatements, place: Place, room: number, leaseMillis: number) {
    const [row] = yield* tx.query<EndpointRow & { readonly failures: number; readonly in_flight: number }>(lockWaiting, [place.organization_id, place.endpoint_id])
    const limit = row === undefined ? 0 : Math.min(room, mostOnTheirWay(row.failures) - row.in_flight)
    if (row === undefined || limit <= 0) return []
    const opened = read(row)
    if (Result.isFailure(opened)) {
      yield* Effect.logError("the secrets of a webhook endpoint do not open; nothing is sent to it", { organizationId: row.organization_id, endpointId: row.endpoint_id, cause: opened.failure.detail })
      yield* tx.query(setAside, [row.organization_id, row.endpoint_id])
      return []
    }
    const token = yield* uuid
    const rows = yield* tx.query<MessageRow>(claim, [row.organization_id, row.endpoint_id, limit, token, leaseMillis])
    return rows.map((one): ClaimedWebhook => ({
      endpoint: opened.success, eventId: one.event_id, body: one.body, position: Number(one.position), attempts: one.attempts, claim: token
    })).toSorted((one, other) => one.position - other.position)
  })
  return WebhookOutbox.of({
    enqueue: Effect.fn("WebhookOutbox.enqueue")(function*(limit) {
      let more = false
      const places = yield* database.read<Place>(behind)
      for (const place of inTurns(places).slice(0, limit)) more = (yield* database.transaction((tx) => Effect.andThen(tx.query(repeatable), enqueueOne(tx, place)))) || more
      return more || places.length > limit
    }),
    claimDue: Effect.fn("WebhookOutbox.claimDue")(function*(limit, leaseMillis) {
      const claims: Array<ClaimedWebhook> = []
      for (const place of inTurns(yield* database.read<Place>(waiting, [limit * 4]))) {
        if (claims.length >= limit) break
        claims.push(...yield* database.transaction((tx) => claimOne(tx, place, limit - claims.length, leaseMillis)))
      }
      return claims
    }),
    conclude: Effect.fn("WebhookOutbox.conclude")(function*(claimed, outcome, judge) {
      return yield* Effect.request(new Conclusion({ claimed, outcome, judge }), conclusions)
    }),
    forget: Effect.fn("WebhookOutbox.forget")(function*(days) {
      yield* database.read("delete from webhook_attempts where at < now() - $1::int4 * interval '1 day'", [days])
      yield* database.read(endRemoved)
      yield* database.read("delete from webhook_messages where status <> 'PENDING' and created_at < now() - $1::int4 * interval '1 day'", [days])
    })
  })
})

/** The queues of endpoints as workers see them. One clock for all: the database's. */
export const layerWebhookOutbox = (mails: Omit<Mails, "uuid">): Layer.Layer<WebhookOutbox, never, PgDatabase | Identifiers> => Layer.effect(WebhookOutbox, make(mails))
