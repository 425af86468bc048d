import type { InstallationFigures } from "@overa/domain"
import { metric } from "./PrometheusText.ts"

const dayMillis = 86_400_000

/** The figures of the whole installation; every host answers the same ones. */
export const installationMetrics = (figures: InstallationFigures, nowMillis: number): string =>
  [
    metric("overa_unresolved_operations", "gauge", "Operations with an unknown outcome.",
      figures.unresolved.map(({ count, environment, status }) => [{ environment, status }, count] as const)),
    metric("overa_oldest_unresolved_seconds", "gauge", "Age of the oldest of them.",
      figures.unresolved.map(({ environment, oldestAt, status }) =>
        [{ environment, status }, Math.max(0, (nowMillis - oldestAt.epochMilliseconds) / 1_000)] as const)),
    metric("overa_searches_due", "gauge", "Searches at the V-PFR that are due.", [[{}, figures.searchesDue]]),
    metric("overa_attention_open", "gauge", "Items of the attention list that are not acknowledged.", [[{}, figures.openAttention]]),
    metric("overa_counter_gaps_open", "gauge", "Gaps in elements' counters that are not acknowledged.", [[{}, figures.counterGaps]]),
    metric("overa_unreadable_operations", "gauge", "Stored operations that could not be read.", [[{}, figures.unreadable]]),
    metric("overa_security_elements", "gauge", "Security elements by state.",
      figures.elements.map(({ count, environment, status }) => [{ environment, status }, count] as const)),
    metric("overa_certificate_days_left", "gauge", "Days until the first active certificate ends.",
      figures.certificates.map(({ environment, firstEndsAt }) => [{ environment }, Math.floor((firstEndsAt.epochMilliseconds - nowMillis) / dayMillis)] as const)),
    metric("overa_certificates_ending", "gauge", "Active certificates that end within sixty days.",
      figures.certificates.map(({ endingSoon, environment }) => [{ environment }, endingSoon] as const)),
    metric("overa_deliveries_queued", "gauge", "Receipts that wait to be sent by e-mail.", [[{}, figures.deliveries.queued]]),
    metric("overa_deliveries_oldest_seconds", "gauge", "How long the longest waiting of them has waited for this installation.", [[
      {},
      figures.deliveries.waitingSince === null ? 0 : Math.max(0, (nowMillis - figures.deliveries.waitingSince.epochMilliseconds) / 1_000)
    ]]),
    metric("overa_deliveries_sent", "gauge", "Sent within the last 24 hours.", [[{}, figures.deliveries.sent]]),
    metric("overa_deliveries_failed", "gauge", "Given up within the last 24 hours, by reason.",
      (["REFUSED", "EXHAUSTED", "UNCERTAIN"] as const).map((reason) =>
        [{ reason }, figures.deliveries.failed.find(({ failure }) => failure === reason)?.count ?? 0] as const)),
    metric("overa_pool_elements", "gauge", "Elements that wait for a sandbox premise.", [[{}, figures.poolElements]])
  ].join("")
