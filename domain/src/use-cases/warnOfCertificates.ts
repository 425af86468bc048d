import { DateTime, Effect } from "effect"
import { elementChange } from "../events/notedChange.ts"
import { type ElementEntry, ElementOversight } from "../ports/Oversight.ts"
import { RecordActs } from "../ports/RecordActs.ts"
import { certificateWarning, daysUntil } from "../tenancy/SecurityElement.ts"

/** The warning that an active element's certificate has reached. */
export interface RaisedCertificateWarning {
  readonly entry: ElementEntry
  /** One of 60, 30, 14, 7, 1; 0 when it has expired. */
  readonly days: number
}

const kindOf = (days: number): string => days === 0 ? "CERTIFICATE_EXPIRED" : `CERTIFICATE_ENDS_WITHIN_${days}_DAYS`

const sentenceFor = ({ element }: ElementEntry, days: number, now: DateTime.Utc): string =>
  days === 0
    ? `The certificate of ${element.jid} expired at ${DateTime.formatIso(element.validTo)}: its premise issues nothing until a new one is active.`
    : `The certificate of ${element.jid} ends at ${DateTime.formatIso(element.validTo)}, in ${daysUntil(element.validTo, now)} days: order a new one.`

/**
 * Puts every active element whose certificate has 60, 30, 14, 7 or 1 days left, or has expired, on the attention list, once for each threshold, and
 * answers those raised now.
 */
export const warnOfCertificates = Effect.fn("warnOfCertificates")(function*() {
  const recordActs = yield* RecordActs
  const entries = yield* (yield* ElementOversight).elements(null)
  const now = yield* DateTime.now
  const served = new Set(entries.filter(({ element }) => element.status === "ACTIVE").map(({ element }) => element.businessPremiseId))
  const raised: Array<RaisedCertificateWarning> = []
  for (const entry of entries) {
    const { element, organizationId } = entry
    // An element that expired unused, or beside an active one, prevents no document from being issued.
    const matters = element.status === "ACTIVE" || (element.status === "EXPIRED" && !served.has(element.businessPremiseId))
    const days = matters ? certificateWarning(element.validTo, now) : null
    if (days === null) continue
    const item = { kind: kindOf(days), detail: sentenceFor(entry, days, now), evidence: null }
    const change = elementChange(days === 0 ? "security_element.expired" : "security_element.expiring", element.id, now, days)
    const about = { organizationId, elementId: element.id, environment: element.environment }
    if (yield* recordActs.raiseAboutElement(about, item, { change, ownersMail: null })) raised.push({ entry, days })
  }
  return raised
})
