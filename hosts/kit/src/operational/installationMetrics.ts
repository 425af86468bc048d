import type { DocumentStatus, Environment, InstallationFigures, SecurityElement } from "@overa/domain"
import { type Labels, metric } from "./PrometheusText.ts"

const dayMillis = 86_400_000

const environments: ReadonlyArray<Environment> = ["sandbox", "production"]
const unresolvedStatuses: ReadonlyArray<DocumentStatus> = ["OUTCOME_UNKNOWN", "RECONCILING"]
const elementStatuses: ReadonlyArray<SecurityElement["status"]> = ["UPLOADED", "ACTIVE", "REPLACED", "EXPIRED"]
const failures = ["REFUSED", "EXHAUSTED", "UNCERTAIN"] as const

type Sample = readonly [labels: Labels, value: number]

/** A sample for each environment and status: a series is 0, and not absent, while there is nothing to count. */
const byStatus = <Status extends string, Row extends { readonly environment: Environment; readonly status: Status }>(
  statuses: ReadonlyArray<Status>,
  rows: ReadonlyArray<Row>,
  valueOf: (row: Row) => number
): ReadonlyArray<Sample> =>
  environments.flatMap((environment) =>
    statuses.map((status): Sample => {
      const row = rows.find((it) => it.environment === environment && it.status === status)
      return [{ environment, status }, row === undefined ? 0 : valueOf(row)]
    })
  )

const secondsSince = (millis: number | undefined, nowMillis: number): number => millis === undefined ? 0 : Math.max(0, (nowMillis - millis) / 1_000)

const documentMetrics = (figures: InstallationFigures, nowMillis: number): ReadonlyArray<string> => [
  metric("overa_unresolved_operations", "gauge", "Operations with an unknown outcome.",
    byStatus(unresolvedStatuses, figures.unresolved, ({ count }) => count)),
  metric("overa_oldest_unresolved_seconds", "gauge", "Age of the oldest of them; 0 where there is none.",
    byStatus(unresolvedStatuses, figures.unresolved, ({ oldestAt }) => secondsSince(oldestAt.epochMilliseconds, nowMillis))),
  metric("overa_searches_due", "gauge", "Searches at the V-PFR that are due.", [[{}, figures.searchesDue]]),
  metric("overa_documents_at_rest", "gauge", "Documents that the service sends by itself and that have no next check.", [[{}, figures.atRest]]),
  metric("overa_attention_open", "gauge", "Items of the attention list that are not acknowledged.", [[{}, figures.openAttention]]),
  metric("overa_counter_gaps_open", "gauge", "Gaps in elements' counters that are not acknowledged.", [[{}, figures.counterGaps]]),
  metric("overa_unreadable_operations", "gauge", "Stored operations that could not be read.", [[{}, figures.unreadable]])
]

const elementMetrics = (figures: InstallationFigures, nowMillis: number): ReadonlyArray<string> => [
  metric("overa_security_elements", "gauge", "Security elements by state.", byStatus(elementStatuses, figures.elements, ({ count }) => count)),
  metric("overa_certificate_days_left", "gauge", "Days until the first active certificate ends; absent where no element is active.",
    figures.certificates.map(({ environment, firstEndsAt }) => [{ environment }, Math.floor((firstEndsAt.epochMilliseconds - nowMillis) / dayMillis)] as const)),
  metric("overa_certificates_ending", "gauge", "Active certificates that end within sixty days.",
    environments.map((environment) => [{ environment }, figures.certificates.find((it) => it.environment === environment)?.endingSoon ?? 0] as const)),
  metric("overa_pool_elements", "gauge", "Elements that wait for a sandbox premise.", [[{}, figures.poolElements]])
]

const deliveryMetrics = ({ deliveries }: InstallationFigures, nowMillis: number): ReadonlyArray<string> => [
  metric("overa_deliveries_queued", "gauge", "Receipts that wait to be sent by e-mail.", [[{}, deliveries.queued]]),
  metric("overa_deliveries_oldest_seconds", "gauge", "How long the longest waiting of them has waited for this installation.",
    [[{}, secondsSince(deliveries.waitingSince?.epochMilliseconds, nowMillis)]]),
  metric("overa_deliveries_sent", "gauge", "Sent within the last 24 hours.", [[{}, deliveries.sent]]),
  metric("overa_deliveries_failed", "gauge", "Given up within the last 24 hours, by reason.",
    failures.map((reason) => [{ reason }, deliveries.failed.find(({ failure }) => failure === reason)?.count ?? 0] as const))
]

/** The figures of the whole installation; every host answers the same ones. */
export const installationMetrics = (figures: InstallationFigures, nowMillis: number): string =>
  [...documentMetrics(figures, nowMillis), ...elementMetrics(figures, nowMillis), ...deliveryMetrics(figures, nowMillis)].join("")
