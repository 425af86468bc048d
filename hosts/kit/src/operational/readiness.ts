import { daysUntil, type Environment, Installation, type InstallationFigures, InstallationOversight } from "@overa/domain"
import { VpfrClocks, VpfrContacts } from "@overa/adapter-vpfr"
import { DateTime, Effect, Option } from "effect"

/** The readiness of a host, for a load balancer and for people. */
export interface Readiness {
  readonly ready: boolean
  /** What is not ready, in words; empty when the host accepts requests. */
  readonly reasons: ReadonlyArray<string>
  /** What an operator should know although the host is ready. */
  readonly notes: ReadonlyArray<string>
}

const environments: ReadonlyArray<Environment> = ["sandbox", "production"]

/** A host that cannot read within this time is not ready. */
const answerTimeout = "2 seconds"

const noteDays = 60

const certificateNotes = (figures: InstallationFigures, now: DateTime.Utc): ReadonlyArray<string> =>
  figures.certificates.flatMap(({ endingSoon, environment, firstEndsAt }) => {
    const days = daysUntil(firstEndsAt, now)
    if (days >= noteDays) return []
    return [days < 0 ? `${environment}: an active certificate has expired` : `${environment}: ${endingSoon} active certificate(s) end within ${noteDays} days, the first in ${days}`]
  })

const storeState = Effect.gen(function*() {
  const oversight = yield* Effect.serviceOption(InstallationOversight)
  if (Option.isNone(oversight)) return { reasons: [], notes: [] }
  const pending = yield* oversight.value.pendingMigrations
  if (pending.length > 0) return { reasons: [`the schema lacks the steps ${pending.join(", ")}`], notes: [] }
  const figures = yield* oversight.value.figures
  return { reasons: [], notes: certificateNotes(figures, yield* DateTime.now) }
})

// An environment without an address, or switched off, is a setting and not a fault; a host without any V-PFR can issue nothing.
const vpfrState = Effect.gen(function*() {
  const installation = yield* Installation
  const settings = yield* Effect.forEach(environments, (environment) =>
    Effect.map(installation.settings(environment), (it) => ({ environment, ...it })))
  const configured = settings.filter((it) => it.adapterConfigured)
  return {
    reasons: configured.length === 0 ? ["no V-PFR is configured"] : [],
    notes: [
      ...settings.filter((it) => !it.adapterConfigured).map((it) => `${it.environment}: no V-PFR is configured`),
      ...configured.filter((it) => !it.trafficEnabled).map((it) => `${it.environment}: traffic is switched off`),
      ...configured.filter((it) => it.environment === "production" && it.esirNumber === "").map((it) => `${it.environment}: no ESIR number yet`)
    ]
  }
})

/** A host whose clock is too far ahead sends nothing (docs/adr/0051): traffic should go to other hosts. */
const clockReasons = Effect.gen(function*() {
  const clocks = yield* Effect.serviceOption(VpfrClocks)
  const seconds = Option.isNone(clocks) ? null : yield* clocks.value.secondsTooFarAhead
  return seconds === null ? [] : [`this host's clock is ${seconds} s ahead of the V-PFR's; nothing is sent until it is corrected`]
})

const minuteMillis = 60_000

/** An environment whose V-PFR has not answered lately. The host stays ready: it still answers, replays and reads. */
const contactNotes = Effect.gen(function*() {
  const contacts = yield* Effect.serviceOption(VpfrContacts)
  const now = DateTime.toEpochMillis(yield* DateTime.now)
  return Option.isNone(contacts) ? [] : contacts.value.failing.map(({ detail, environment, failures, sinceMillis }) => {
    const minutes = Math.floor(Math.max(0, now - sinceMillis) / minuteMillis)
    return `${environment}: the last ${failures} contact(s) with the V-PFR failed, the first ${minutes} minute(s) ago: ${detail}`
  })
})

/** Reads the store and the settings; never fails, and always answers within a few seconds. */
export const readiness: Effect.Effect<Readiness, never, Installation> = Effect.gen(function*() {
  const [store, vpfr] = [yield* storeState, yield* vpfrState]
  const reasons = [...store.reasons, ...vpfr.reasons, ...(yield* clockReasons)]
  return { ready: reasons.length === 0, reasons, notes: [...store.notes, ...vpfr.notes, ...(yield* contactNotes)] }
}).pipe(
  Effect.timeout(answerTimeout),
  // The store's error message may contain addresses and users: it goes to the log, not into this answer.
  Effect.catch(() => Effect.succeed({ ready: false, reasons: ["the database does not answer"], notes: [] }))
)
