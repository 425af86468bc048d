import { type TaxpayerId, TenancyOversight } from "@overa/domain"
import { Effect } from "effect"
import { Refusal } from "../Refusal.ts"

/** The taxpayer that was named, with its tenant. */
export const namedTaxpayer = Effect.fnUntraced(function*(taxpayerId: TaxpayerId) {
  const entry = (yield* (yield* TenancyOversight).taxpayers(null)).find(({ taxpayer }) => taxpayer.id === taxpayerId)
  if (entry === undefined) return yield* new Refusal({ sentence: `There is no taxpayer ${taxpayerId}.` })
  return { ...entry, tenant: { organizationId: entry.organizationId, environment: entry.taxpayer.environment } }
})
