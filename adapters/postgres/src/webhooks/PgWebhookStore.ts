import {
  mostEndpoints, rotated, type Tenant, type WebhookAttempt, WebhookEndpointAlreadyExists, type WebhookEndpointId, WebhookEndpointLimitReached, WebhookMessages, WebhookStore
} from "@overa/domain"
import { DateTime, Effect, Layer, Option } from "effect"
import { recordActivity } from "../administration/activity.ts"
import { PgDatabase, type PgStatements } from "../PgDatabase.ts"
import { readEventsFrom } from "../PgEventFeed.ts"
import { PgFailure } from "../PgFailure.ts"
import { utc } from "../rows/OperationRow.ts"
import type { Secrets } from "../Secrets.ts"
import { decodeEndpoint, endpointColumns, type EndpointRow, sealWebhookSecrets } from "./endpointRows.ts"
import { queueAgain, queueTestMessage } from "./queueMessages.ts"

const live = "organization_id = $1 and environment = $2 and status <> 'REMOVED'"

const insert = `insert into webhook_endpoints (organization_id, environment, endpoint_id, url, description, event_types, signature, secrets, status, sequence,
  last_position, failures, try_at, created_at, updated_at)
select $1, $2, $3, $4, $5, string_to_array($6, ','), $7, $8, 'ACTIVE',
  coalesce((select sequence from event_heads where organization_id = $1 and environment = $2), 0), 0, 0, now(), $9, $9
returning ${endpointColumns}`

const ofUrl = `select endpoint_id from webhook_endpoints where ${live} and url = $3 and endpoint_id <> $4`

const lockOne = `select ${endpointColumns} from webhook_endpoints where ${live} and endpoint_id = $3 for update`

const update = `update webhook_endpoints set url = $3, description = $4, event_types = string_to_array($5, ','), status = $6,
  paused_because = case when $6 <> 'PAUSED' then null else coalesce(paused_because, 'REQUESTED') end,
  failures = case when $7::boolean then 0 else failures end, failing_since = case when $7::boolean then null else failing_since end,
  try_at = case when $7::boolean then now() else try_at end, updated_at = $8
where organization_id = $1 and endpoint_id = $2 returning ${endpointColumns}`

const wakeMessages = "update webhook_messages set due_at = now(), attempts = 0 where organization_id = $1 and endpoint_id = $2 and status = 'PENDING'"

/** What is on its way to a former address: how that ends says nothing of the new one. */
const endClaims = "update webhook_messages set claim = null, claimed_until = null where organization_id = $1 and endpoint_id = $2 and status = 'PENDING' and claim is not null"

/** Nothing more is sent to an endpoint that was removed, so its messages do not wait: what has ended is deleted after some time. */
const endMessages = "update webhook_messages set status = 'FAILED', claim = null, claimed_until = null where organization_id = $1 and endpoint_id = $2 and status = 'PENDING'"

const latest = `select event_id, sequence, at, taken, status_code, answer, error, millis from webhook_attempts
where organization_id = $1 and endpoint_id = $2 order by at desc, attempt_id limit $3`

interface AttemptRow {
  readonly event_id: string
  readonly sequence: bigint | null
  readonly at: Date
  readonly taken: boolean
  readonly status_code: number | null
  readonly answer: string
  readonly error: string | null
  readonly millis: number
}

const attemptOf = (row: AttemptRow): WebhookAttempt => ({
  eventId: row.event_id,
  sequence: row.sequence === null ? null : Number(row.sequence),
  at: utc(row.at),
  taken: row.taken,
  statusCode: row.status_code,
  answer: row.answer,
  error: row.error,
  millis: row.millis
})

const urlTaken = (error: unknown): boolean => error instanceof PgFailure && error.constraint === "webhook_endpoints_url_once"

/** The commit that found the address taken has rolled back; whose it is, is read after it. */
const refusingUrl = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | WebhookEndpointAlreadyExists> =>
  Effect.catchIf(effect, urlTaken, () => Effect.fail(new WebhookEndpointAlreadyExists({ webhookEndpointId: "" })))

/** An endpoint as the activity log shows it. */
const told = ({ description, environment, event_types: eventTypes, status, url }: EndpointRow) => ({ environment, url, description, eventTypes, status })

const typesText = (types: ReadonlyArray<string> | null): string | null => types === null ? null : types.join(",")

const make = Effect.fnUntraced(function*(secrets: Secrets) {
  const database = yield* PgDatabase
  const decode = decodeEndpoint(secrets)
  const scopeOf = (tenant: Tenant) => [tenant.organizationId, tenant.environment]
  /** Runs `work` on the endpoint under the lock of its row. */
  const withEndpoint = <A, E>(tenant: Tenant, id: WebhookEndpointId, work: (tx: PgStatements, row: EndpointRow) => Effect.Effect<A, E | PgFailure>) =>
    database.transaction((tx) =>
      Effect.gen(function*() {
        const [row] = yield* tx.query<EndpointRow>(lockOne, [...scopeOf(tenant), id])
        return row === undefined ? Option.none<A>() : Option.some(yield* work(tx, row))
      })
    )
  const refuseUrl = (tenant: Tenant, url: string, id: WebhookEndpointId) =>
    Effect.gen(function*() {
      const [other] = yield* database.read<{ readonly endpoint_id: string }>(ofUrl, [...scopeOf(tenant), url, id])
      return yield* new WebhookEndpointAlreadyExists({ webhookEndpointId: other?.endpoint_id ?? "" })
    })
  const store = WebhookStore.of({
    create: Effect.fn("WebhookStore.create")(function*(act, endpoint) {
      const tenant: Tenant = endpoint
      const created = yield* database.transaction((tx) =>
        Effect.gen(function*() {
          // Requests at once count each other: the organization's row is locked.
          yield* tx.query("select 1 from organizations where organization_id = $1 for update", [tenant.organizationId])
          const rows = yield* tx.query(`select 1 from webhook_endpoints where ${live}`, scopeOf(tenant))
          if (rows.length >= mostEndpoints) return yield* new WebhookEndpointLimitReached({ limit: mostEndpoints })
          const [row] = yield* tx.query<EndpointRow>(insert, [
            ...scopeOf(tenant), endpoint.id, endpoint.url, endpoint.description, typesText(endpoint.eventTypes), endpoint.signature,
            sealWebhookSecrets(secrets, endpoint, endpoint.secrets), DateTime.toDateUtc(endpoint.createdAt)
          ])
          if (row === undefined) return yield* Effect.die(new Error("an insert returned no row"))
          yield* recordActivity(tx, act, { organizationId: tenant.organizationId, act: "webhook endpoint added", subject: endpoint.id, before: null, after: told(row) })
          return row
        }).pipe(refusingUrl)
      ).pipe(Effect.catchTag("WebhookEndpointAlreadyExists", () => refuseUrl(tenant, endpoint.url, endpoint.id)))
      return decode(created)
    }),
    list: Effect.fn("WebhookStore.list")(function*(tenant) {
      return (yield* database.read<EndpointRow>(`select ${endpointColumns} from webhook_endpoints where ${live} order by created_at, endpoint_id`, scopeOf(tenant))).map(decode)
    }),
    get: Effect.fn("WebhookStore.get")(function*(tenant, id) {
      const [row] = yield* database.read<EndpointRow>(`select ${endpointColumns} from webhook_endpoints where ${live} and endpoint_id = $3`, [...scopeOf(tenant), id])
      return row === undefined ? Option.none() : Option.some(decode(row))
    }),
    replace: Effect.fn("WebhookStore.replace")(function*(act, tenant, id, content, at) {
      const replaced = yield* withEndpoint(tenant, id, (tx, before) =>
        Effect.gen(function*() {
          const moves = content.url !== before.url
          const wakes = content.status === "ACTIVE" && (before.status !== "ACTIVE" || moves)
          const [row] = yield* tx.query<EndpointRow>(update, [
            tenant.organizationId, id, content.url, content.description, typesText(content.eventTypes), content.status, wakes, DateTime.toDateUtc(at)
          ])
          if (row === undefined) return yield* Effect.die(new Error("a locked row is gone"))
          if (moves) yield* tx.query(endClaims, [tenant.organizationId, id])
          if (content.status === "REMOVED") yield* tx.query(endMessages, [tenant.organizationId, id])
          if (wakes) yield* tx.query(wakeMessages, [tenant.organizationId, id])
          yield* recordActivity(tx, act, { organizationId: tenant.organizationId, act: "webhook endpoint changed", subject: id, before: told(before), after: told(row) })
          return row
        }).pipe(refusingUrl)).pipe(Effect.catchTag("WebhookEndpointAlreadyExists", () => refuseUrl(tenant, content.url, id)))
      return Option.map(replaced, decode)
    }),
    rotate: Effect.fn("WebhookStore.rotate")(function*(act, tenant, id, { at, secret, until }) {
      const rows = yield* withEndpoint(tenant, id, Effect.fnUntraced(function*(tx, row) {
        const sealed = sealWebhookSecrets(secrets, { id, organizationId: tenant.organizationId }, rotated(decode(row).secrets, secret, at, until))
        yield* recordActivity(tx, act, { organizationId: tenant.organizationId, act: "webhook secret rotated", subject: id, before: null, after: null })
        return yield* tx.query<EndpointRow>(
          `update webhook_endpoints set secrets = $3, updated_at = $4 where organization_id = $1 and endpoint_id = $2 returning ${endpointColumns}`,
          [tenant.organizationId, id, sealed, DateTime.toDateUtc(at)]
        )
      }))
      return Option.flatMap(rows, ([row]) => row === undefined ? Option.none() : Option.some(decode(row)))
    })
  })
  const messages = WebhookMessages.of({
    queueTest: Effect.fn("WebhookMessages.queueTest")(function*(tenant, id, { body, eventId }) {
      return Option.isSome(yield* withEndpoint(tenant, id, (tx, row) => queueTestMessage(tx, row, { eventId, sequence: null, resource: eventId, body })))
    }),
    resend: Effect.fn("WebhookMessages.resend")(function*(tenant, id, { from, to }) {
      return yield* withEndpoint(tenant, id, (tx, row) =>
        Effect.gen(function*() {
          const found = (yield* readEventsFrom(tx, tenant, from, to - from + 1)).filter(({ sequence }) => sequence <= to)
          yield* queueAgain(tx, row, found)
          return found.length
        }))
    }),
    attempts: Effect.fn("WebhookMessages.attempts")(function*(tenant, id, limit) {
      return (yield* database.read<AttemptRow>(latest, [tenant.organizationId, id, limit])).map(attemptOf)
    })
  })
  return { messages, store }
})

/** Endpoints and what waits for them. */
export const layerWebhookStore = (secrets: Secrets): Layer.Layer<WebhookStore | WebhookMessages, never, PgDatabase> =>
  Layer.merge(
    Layer.effect(WebhookStore, Effect.map(make(secrets), ({ store }) => store)),
    Layer.effect(WebhookMessages, Effect.map(make(secrets), ({ messages }) => messages))
  )
