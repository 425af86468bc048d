import { DateTime, Redacted } from "effect"
import * as fc from "fast-check"
import { type AfterWebhookAttempt, afterWebhookAttempt, afterWebhookAttempts, type EndpointHealth, failuresToProbe, pauseAfterMillis, type WebhookOutcome, webhookWaits } from "../../src/webhooks/webhookAttempts.ts"
import { rotated, validSecrets, type WebhookSecret } from "../../src/webhooks/WebhookEndpoint.ts"
import { webhookUrlFault } from "../../src/webhooks/webhookUrl.ts"
import { rule } from "./ruleBook.ts"

const outcome = (statusCode: number | null): WebhookOutcome => ({ statusCode, answer: "", error: statusCode === null ? "nobody" : null, millis: 1 })
const refused = fc.constantFrom(null, 100, 199, 301, 302, 307, 400, 401, 404, 429, 500, 503, 599)
const taken = fc.integer({ min: 200, max: 299 })
const failures = fc.integer({ min: 0, max: 300 })
const random = fc.double({ min: 0, max: 1, noNaN: true })
const hours = fc.integer({ min: 0, max: 200 })
const now = 1_800_000_000_000
const healthOf = (count: number, since: number) => ({ failures: count, failingSince: count === 0 ? null : now - since * 3_600_000 })

rule("WEBHOOK-1", {
  says: "Only an answer 2xx has taken an event. Everything else is followed by attempts over more than three days, each wait up to a fifth longer.",
  source: "docs/adr/0203"
}, ({ holds, holdsForEvery }) => {
  holds("2xx: delivered, and the endpoint works", { statusCode: taken, count: failures, since: hours, random }, ({ count, random: chance, since, statusCode }) => {
    const after = afterWebhookAttempt(healthOf(count, since), { attempts: 1, now, outcome: outcome(statusCode), random: chance })
    return after.status === "DELIVERED" && after.health.failures === 0 && after.health.failingSince === null && after.pause === null && after.recovered === count >= failuresToProbe
  })
  holds("anything else: not delivered", { statusCode: refused, count: failures, since: hours, random, attempts: fc.integer({ min: 1, max: 10 }) },
    ({ attempts, count, random: chance, since, statusCode }) =>
      afterWebhookAttempt(healthOf(count, since), { attempts, now, outcome: outcome(statusCode), random: chance }).status !== "DELIVERED")
  holds("each wait is as long as the table says, and at most a fifth longer", { attempts: fc.integer({ min: 1, max: webhookWaits.length }), random }, ({ attempts, random: chance }) => {
    const wait = webhookWaits[attempts - 1] ?? 0
    const { dueAt, status } = afterWebhookAttempt(healthOf(0, 0), { attempts, now, outcome: outcome(500), random: chance })
    return status === "PENDING" && dueAt - now >= wait && dueAt - now <= Math.ceil(wait * 1.2)
  })
  holdsForEvery("more than three days in all", [webhookWaits], (waits) => waits.reduce((sum, wait) => sum + wait, 0) > 72 * 3_600_000)
})

rule("WEBHOOK-2", {
  says: "A message is given up after its own last attempt only, never while its endpoint takes nothing; an endpoint is paused after three days without a success, or at once by 410.",
  source: "docs/adr/0203"
}, ({ holds }) => {
  const attempts = fc.integer({ min: 1, max: 40 })
  holds("given up", { statusCode: refused, count: failures, since: hours, random, attempts }, (one) => {
    const after = afterWebhookAttempt(healthOf(one.count, one.since), { attempts: one.attempts, now, outcome: outcome(one.statusCode), random: one.random })
    return (after.status === "FAILED") === (one.attempts > webhookWaits.length && one.count < failuresToProbe && after.pause === null) && after.counts === one.count < failuresToProbe
  })
  holds("paused", { statusCode: refused, count: failures, since: hours, random, attempts }, (one) => {
    const { pause } = afterWebhookAttempt(healthOf(one.count, one.since), { attempts: one.attempts, now, outcome: outcome(one.statusCode), random: one.random })
    const isOver = one.count > 0 && one.count + 1 >= failuresToProbe && one.since * 3_600_000 >= pauseAfterMillis
    return pause === (isOver ? "FAILING" : null)
  })
  holds("410", { count: failures, since: hours, random }, (one) =>
    afterWebhookAttempt(healthOf(one.count, one.since), { attempts: 1, now, outcome: outcome(410), random: one.random }).pause === "GONE")
  holds("an endpoint that fails is tried again within twenty minutes, and what tried it is due by then", { count: fc.integer({ min: failuresToProbe, max: 300 }), random }, (one) => {
    const { dueAt, tryAt } = afterWebhookAttempt(healthOf(one.count, 1), { attempts: 1, now, outcome: outcome(null), random: one.random })
    return tryAt > now && tryAt - now <= 20 * 60_000 && dueAt === tryAt
  })
})

rule("WEBHOOK-3", {
  says: "A rotated secret signs beside the new one until its end; at most five sign at once.",
  source: "docs/adr/0203; Standard Webhooks"
}, ({ holds }) => {
  const at = (millis: number) => DateTime.makeUnsafe(millis)
  const secret = (name: string): WebhookSecret => ({ secret: Redacted.make(name), publicKey: null, validUntil: null })
  holds("however often it is rotated", { waits: fc.array(fc.integer({ min: 0, max: 48 * 3_600_000 }), { minLength: 1, maxLength: 12 }) }, ({ waits }) => {
    let [time, secrets]: [number, ReadonlyArray<WebhookSecret>] = [now, [secret("0")]]
    return waits.every((wait, index) => {
      time += wait
      const before = validSecrets(secrets, at(time))
      secrets = rotated(secrets, secret(String(index + 1)), at(time), at(time + 24 * 3_600_000))
      const valid = validSecrets(secrets, at(time + 1)).map((one) => Redacted.value(one.secret))
      return valid[0] === String(index + 1) && valid.length === Math.min(5, before.length + 1) && secrets.filter(({ validUntil }) => validUntil === null).length === 1 &&
        validSecrets(secrets, at(time + 24 * 3_600_000)).length === 1
    })
  })
})

rule("WEBHOOK-4", {
  says: "An address is a web address without user, password or fragment; outside the sandbox it begins with https://.",
  source: "docs/adr/0203"
}, ({ holdsForEvery }) => {
  holdsForEvery("taken", ["https://shop.example/", "https://shop.example:8443/a?b=c", "HTTPS://SHOP.EXAMPLE", "https://[2a00::1]/"], (url) => webhookUrlFault(url, "production") === undefined)
  holdsForEvery("http in the sandbox only", ["http://shop.example/"], (url) => webhookUrlFault(url, "sandbox") === undefined && webhookUrlFault(url, "production") !== undefined)
  holdsForEvery("refused", ["", "shop.example", "ftp://shop.example/", "javascript:alert(1)", "https://", "https://u@shop.example/", "https://:p@shop.example/", "https://shop.example/#a", "file:///etc/passwd"],
    (url) => webhookUrlFault(url, "sandbox") !== undefined)
})

rule("WEBHOOK-5", {
  says: "Attempts of one endpoint that are judged together change what they would change one after the other.",
  source: "docs/adr/0397"
}, ({ holds }) => {
  const attempt = fc.record({ statusCode: fc.oneof(taken, refused, fc.constant(410)), attempts: fc.integer({ min: 1, max: 12 }), chance: random })
  holds("health, pause and what each message waits for", { count: failures, since: hours, attempts: fc.array(attempt, { minLength: 1, maxLength: 16 }) }, ({ attempts, count, since }) => {
    const judges = attempts.map((one) => ({
      judge: (health: EndpointHealth, at: number) => afterWebhookAttempt(health, { attempts: one.attempts, now: at, outcome: outcome(one.statusCode), random: one.chance })
    }))
    let [health, tryAt, pause, recovered]: [EndpointHealth, number, AfterWebhookAttempt["pause"], boolean] = [healthOf(count, since), now, null, false]
    const waiting: Array<{ status: string; dueAt: number; counts: boolean }> = []
    for (const { judge } of judges) {
      const after = judge(health, now)
      if (after.recovered) for (const one of waiting) one.dueAt = Math.min(one.dueAt, now)
      waiting.push({ status: after.status, dueAt: after.dueAt, counts: after.counts })
      ;[health, tryAt, pause, recovered] = [after.health, after.tryAt, pause ?? after.pause, recovered || after.recovered]
    }
    const together = afterWebhookAttempts(healthOf(count, since), now, judges)
    const ends = together.ends.map(({ after }) => ({ status: after.status, dueAt: after.dueAt, counts: after.counts }))
    return JSON.stringify({ ...together, ends }) === JSON.stringify({ ends: waiting, health, tryAt, pause, recovered }) && together.ends.every(({ of }, place) => of === judges[place])
  })
})
