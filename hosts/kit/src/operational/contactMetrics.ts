import { type ContactResult, VpfrContacts } from "@overa/adapter-vpfr"
import type { Environment } from "@overa/domain"
import { Effect, Option } from "effect"
import { metric } from "./PrometheusText.ts"

interface Contacts {
  readonly counts: ReadonlyArray<{ readonly environment: Environment; readonly result: ContactResult; readonly count: number }>
  readonly failing: ReadonlyArray<{ readonly environment: Environment; readonly failures: number }>
}

/** This process's contacts with the V-PFRs; without a V-PFR nothing is counted. */
export const contacts: Effect.Effect<Contacts> = Effect.map(Effect.serviceOption(VpfrContacts), Option.getOrElse(() => ({ counts: [], failing: [] })))

/** Contacts by result, and how many have failed in a row. */
export const contactMetrics = ({ counts, failing }: Contacts): string => {
  const environments = [...new Set(counts.map(({ environment }) => environment))]
  return [
    metric("overa_vpfr_contacts_total", "counter", "Contacts of this process with the V-PFR by their result.",
      counts.map(({ count, environment, result }) => [{ environment, result }, count] as const)),
    metric("overa_vpfr_failures_in_a_row", "gauge", "Failed contacts of this process since the last answer.",
      environments.map((environment) => [{ environment }, failing.find((it) => it.environment === environment)?.failures ?? 0] as const))
  ].join("")
}
