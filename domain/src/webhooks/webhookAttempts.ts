import type { PauseReason } from "./WebhookEndpoint.ts"

/** How sending a message once ended. */
export interface WebhookOutcome {
  /** The status of the receiver's answer; null where there was none. */
  readonly statusCode: number | null
  /** The beginning of the answer's body. */
  readonly answer: string
  /** Why there was no answer, in words for people; null where there was one. */
  readonly error: string | null
  readonly millis: number
}

/** Any 2xx: the receiver has the event. A redirect is not followed and is a failure. */
export const isTaken = ({ statusCode }: WebhookOutcome): boolean => statusCode !== null && statusCode >= 200 && statusCode <= 299

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The waits between the attempts of a message: more than three days in all. */
export const webhookWaits: ReadonlyArray<number> = [
  5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour
]

/** An endpoint that has failed without a success for so long is paused. */
export const pauseAfterMillis = 72 * hour

/** After so many failures in a row an endpoint gets one message at a time, less and less often, until it takes one. */
export const failuresToProbe = 5
const longestProbeWait = 15 * minute

/** Messages of one endpoint that are on their way at once. */
export const mostOnTheirWay = (failures: number): number => failures >= failuresToProbe ? 1 : 16

/** Up to a fifth longer, so that many messages that failed together do not come together again. `random` is from 0 to 1. */
const jittered = (millis: number, random: number): number => Math.round(millis * (1 + random / 5))

/** What is known of an endpoint before an attempt. */
export interface EndpointHealth {
  /** Failures in a row. */
  readonly failures: number
  /** Milliseconds of the store's clock; null while it works. */
  readonly failingSince: number | null
}

/** What an attempt changes. */
export interface AfterWebhookAttempt {
  /** Whether the attempt was one of the message's own: while the endpoint fails as a whole, it says nothing of the message. */
  readonly counts: boolean
  /** `PENDING`: another attempt follows. */
  readonly status: "DELIVERED" | "PENDING" | "FAILED"
  readonly dueAt: number
  readonly health: EndpointHealth
  /** Before this nothing is sent to the endpoint. */
  readonly tryAt: number
  readonly pause: PauseReason | null
  /** The endpoint works again after it was tried one message at a time: everything that waits for it is due. */
  readonly recovered: boolean
}

const probeWait = (failures: number, random: number): number =>
  failures < failuresToProbe ? 0 : jittered(Math.min(30 * second * 2 ** Math.min(failures - failuresToProbe, 10), longestProbeWait), random)

/**
 * Judges an attempt. `attempts`: the message's own with this one. A message is given up after its last one while the endpoint takes others. An endpoint
 * that takes nothing is tried with one message, and is paused before anything is given up.
 */
export const afterWebhookAttempt = (
  before: EndpointHealth,
  { attempts, now, outcome, random }: { readonly attempts: number; readonly now: number; readonly outcome: WebhookOutcome; readonly random: number }
): AfterWebhookAttempt => {
  if (isTaken(outcome)) {
    const recovered = before.failures >= failuresToProbe
    return { counts: true, status: "DELIVERED", dueAt: now, health: { failures: 0, failingSince: null }, tryAt: now, pause: null, recovered }
  }
  const health = { failures: before.failures + 1, failingSince: before.failingSince ?? now }
  const isFailing = health.failures >= failuresToProbe && now - health.failingSince >= pauseAfterMillis
  const pause = outcome.statusCode === 410 ? "GONE" : isFailing ? "FAILING" : null
  const counts = before.failures < failuresToProbe
  const wait = webhookWaits[attempts - 1]
  const tryAt = now + probeWait(health.failures, random)
  return {
    counts,
    status: counts && wait === undefined && pause === null ? "FAILED" : "PENDING",
    dueAt: counts ? now + jittered(wait ?? 0, random) : tryAt,
    health,
    tryAt,
    pause,
    recovered: false
  }
}

/** An attempt that has ended, and what it changes. */
export interface JudgedAttempt<A> {
  readonly of: A
  readonly after: AfterWebhookAttempt
}

/** What several attempts of one endpoint change together: the same as one after the other. */
export interface AfterWebhookAttempts<A> extends Pick<AfterWebhookAttempt, "health" | "tryAt" | "pause" | "recovered"> {
  readonly ends: ReadonlyArray<JudgedAttempt<A>>
}

/**
 * Judges attempts of one endpoint that have ended, in their order. Where the endpoint works again with one of them, everything that waits is due: also what
 * failed before it.
 */
export const afterWebhookAttempts = <A extends { readonly judge: (health: EndpointHealth, now: number) => AfterWebhookAttempt }>(
  before: EndpointHealth,
  now: number,
  attempts: ReadonlyArray<A>
): AfterWebhookAttempts<A> =>
  attempts.reduce<AfterWebhookAttempts<A>>(({ ends, health, pause, recovered }, of) => {
    const after = of.judge(health, now)
    const earlier = after.recovered ? ends.map((one) => ({ ...one, after: { ...one.after, dueAt: Math.min(one.after.dueAt, now) } })) : ends
    return { ends: [...earlier, { of, after }], health: after.health, tryAt: after.tryAt, pause: pause ?? after.pause, recovered: recovered || after.recovered }
  }, { ends: [], health: before, tryAt: now, pause: null, recovered: false })
