import { afterWebhookAttempts, type ClaimedWebhook, isTaken, type JudgedAttempt, type StoreUnavailable, type WebhookOutbox, type WebhookOutcome } from "@overa/domain"
import { Effect, Exit, Request, RequestResolver } from "effect"
import type { PgDatabase, PgStatements } from "../PgDatabase.ts"
import { type Mails, tellOwners } from "../people/PgPersonMails.ts"

type Judge = Parameters<WebhookOutbox["Service"]["conclude"]>[2]

/** An attempt that has ended; answered with whether its claim had not. */
export class Conclusion extends Request.Class<{ readonly claimed: ClaimedWebhook; readonly outcome: WebhookOutcome; readonly judge: Judge }, boolean, StoreUnavailable> {}

/**
 * First in a transaction that is repeated if a crash of the server loses it: what it queued is queued again, and a message whose end was lost is sent again
 * when its claim ends. The commit does not wait for the disk; each later commit that does takes it along.
 */
export const repeatable = "set local synchronous_commit to off"

/** The claims of an endpoint end under the lock of its row alone. */
const lockHealth = `select failures, failing_since, date_trunc('milliseconds', now()) as now, url, status from webhook_endpoints where organization_id = $1 and endpoint_id = $2 for update`

/** $3 positions, $4 their claims. */
const heldClaims = `select m.position, m.claim, m.sequence from unnest($3::int8[], $4::uuid[]) as held (position, claim)
join webhook_messages m on m.organization_id = $1 and m.endpoint_id = $2 and m.position = held.position
where m.claim = held.claim and m.status = 'PENDING'`

/** $3 positions, $4 statuses, $5 times, $6 attempts that count. */
const endMessages = `update webhook_messages m set status = ended.status, attempts = m.attempts + ended.counted, due_at = ended.due_at, claim = null, claimed_until = null
from unnest($3::int8[], $4::text[], $5::timestamptz[], $6::int4[]) as ended (position, status, due_at, counted)
where m.organization_id = $1 and m.endpoint_id = $2 and m.position = ended.position`

/** $3 ids, $4 events, $5 sequences (0: none), $6 taken, $7 status codes (0: none), $8 answers, $9 errors (empty: none), $10 milliseconds. */
const addAttempts = `insert into webhook_attempts (organization_id, endpoint_id, attempt_id, event_id, sequence, at, taken, status_code, answer, error, millis)
select $1, $2, many.id, many.event_id, nullif(many.sequence, 0), clock_timestamp(), many.taken, nullif(many.status_code, 0), many.answer, nullif(many.error, ''), many.millis
from unnest($3::uuid[], $4::text[], $5::int8[], $6::bool[], $7::int4[], $8::text[], $9::text[], $10::int4[])
  as many (id, event_id, sequence, taken, status_code, answer, error, millis)`

const noteHealth = `update webhook_endpoints set failures = $3, failing_since = $4, try_at = $5,
  status = case when $6::text is null or status <> 'ACTIVE' then status else 'PAUSED' end,
  paused_because = case when $6::text is null or status <> 'ACTIVE' then paused_because else $6 end
where organization_id = $1 and endpoint_id = $2`

const wakeMessages = "update webhook_messages set due_at = now() where organization_id = $1 and endpoint_id = $2 and status = 'PENDING' and due_at > now()"

interface HealthRow {
  readonly failures: number
  readonly failing_since: Date | null
  readonly now: Date
  readonly url: string
  readonly status: string
}
interface ClaimRow {
  readonly position: bigint
  readonly claim: string
  readonly sequence: bigint | null
}
type Place = readonly [organizationId: string, endpointId: string]

/** A conclusion whose claim had not ended, and the number of its event; null for a test event. */
interface Held extends Pick<Conclusion, "judge"> {
  readonly conclusion: Conclusion
  readonly sequence: bigint | null
}

/** In the order of the conclusions. A claim ends once: of two conclusions of it the first holds it. */
const heldOf = (conclusions: ReadonlyArray<Conclusion>, claims: ReadonlyArray<ClaimRow>): ReadonlyArray<Held> => {
  const open = new Map(claims.map((one) => [Number(one.position), one]))
  return conclusions.flatMap((conclusion) => {
    const { claimed, judge } = conclusion
    const row = open.get(claimed.position)
    if (row?.claim !== claimed.claim) return []
    open.delete(claimed.position)
    return [{ conclusion, judge, sequence: row.sequence }]
  })
}

const endThem = Effect.fnUntraced(function*(tx: PgStatements, place: Place, ends: ReadonlyArray<JudgedAttempt<Held>>, uuid: Effect.Effect<string>) {
  const claims = ends.map(({ of }) => of.conclusion.claimed)
  const outcomes = ends.map(({ of }) => of.conclusion.outcome)
  yield* tx.query(endMessages, [
    ...place, claims.map(({ position }) => position), ends.map(({ after }) => after.status), ends.map(({ after }) => new Date(after.dueAt)),
    ends.map(({ after }) => after.counts ? 1 : 0)
  ])
  yield* tx.query(addAttempts, [
    ...place, yield* Effect.forEach(ends, () => uuid), claims.map(({ eventId }) => eventId), ends.map(({ of }) => Number(of.sequence ?? 0)), outcomes.map(isTaken),
    outcomes.map(({ statusCode }) => statusCode ?? 0), outcomes.map(({ answer }) => answer), outcomes.map(({ error }) => error ?? ""),
    outcomes.map(({ millis }) => Math.min(millis, 2_147_483_647))
  ])
})

/** Answers which of them held their claims. */
const concludeAll = Effect.fnUntraced(function*(tx: PgStatements, mails: Mails, place: Place, conclusions: ReadonlyArray<Conclusion>) {
  yield* tx.query(repeatable)
  const [row] = yield* tx.query<HealthRow>(lockHealth, place)
  if (row === undefined) return new Set<Conclusion>()
  const claims = yield* tx.query<ClaimRow>(heldClaims, [...place, conclusions.map(({ claimed }) => claimed.position), conclusions.map(({ claimed }) => claimed.claim)])
  const held = heldOf(conclusions, claims)
  if (held.length === 0) return new Set<Conclusion>()
  const before = { failures: row.failures, failingSince: row.failing_since?.getTime() ?? null }
  const { ends, health, pause, recovered, tryAt } = afterWebhookAttempts(before, row.now.getTime(), held)
  if (recovered) yield* tx.query(wakeMessages, place)
  yield* endThem(tx, place, ends, mails.uuid)
  if (before.failures > 0 || health.failures > 0 || pause !== null) {
    yield* tx.query(noteHealth, [...place, health.failures, health.failingSince === null ? null : new Date(health.failingSince), new Date(tryAt), pause])
  }
  if (pause !== null && row.status === "ACTIVE") yield* tellOwners(tx, mails, place[0], "WEBHOOK_PAUSED", row.url)
  return new Set(held.map(({ conclusion }) => conclusion))
})

/** Attempts that end within so many milliseconds after another one of their endpoint share its commit. */
const gatheredMillis = 20

/** Ends attempts, those of one endpoint together in one commit, in the order in which they ended. */
export const gatheredConclusions = (database: PgDatabase["Service"], mails: Mails): RequestResolver.RequestResolver<Conclusion> =>
  RequestResolver.makeGrouped<Conclusion, string>({
    key: ({ request }) => request.claimed.endpoint.id,
    resolver: Effect.fnUntraced(function*(entries) {
      const { endpoint } = entries[0].request.claimed
      const conclusions = entries.map(({ request }) => request)
      const held = yield* database.transaction((tx) => concludeAll(tx, mails, [endpoint.organizationId, endpoint.id], conclusions))
      for (const entry of entries) entry.completeUnsafe(Exit.succeed(held.has(entry.request)))
    })
  }).pipe(RequestResolver.setDelay(gatheredMillis))
