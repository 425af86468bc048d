import { warnOfCertificates } from "@overa/domain"
import { Effect } from "effect"

const hourMillis = 3_600_000

const logged = Effect.fnUntraced(function*() {
  for (const { days, entry } of yield* warnOfCertificates()) {
    const { element, organizationId } = entry
    const facts = { organizationId, elementId: element.id, jid: element.jid, days }
    yield* days === 0
      ? Effect.logError("worker: a certificate in use has expired", facts)
      : Effect.logWarning("worker: a certificate in use ends soon", facts)
  }
  return false
})

/** Certificates in use are checked every hour; one that has 60, 30, 14, 7 or 1 days left is logged and put on the attention list once. */
export const watchCertificates = {
  name: "watchCertificates",
  pass: logged(),
  pauseMillis: hourMillis,
  busyPauseMillis: hourMillis
}
