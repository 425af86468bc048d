import { warnOfRates } from "@overa/domain"
import { DateTime, Effect } from "effect"

const hourMillis = 3_600_000

const logged = Effect.fnUntraced(function*() {
  for (const { entry, warning } of yield* warnOfRates()) {
    yield* Effect.logWarning("worker: a change of rates takes tax labels that a catalogue carries", {
      organizationId: entry.organizationId,
      taxpayerId: entry.element.taxpayerId,
      environment: entry.element.environment,
      groupId: warning.groupId,
      beginsAt: DateTime.formatIso(warning.beginsAt),
      labels: warning.labels.map(({ label }) => label).join(", ")
    })
  }
  return false
})

/** The rates that the V-PFR has announced are compared with the catalogues every hour; each change that takes a label is told once, a week ahead. */
export const watchRates = {
  name: "watchRates",
  pass: logged(),
  pauseMillis: hourMillis,
  busyPauseMillis: hourMillis
}
