import { type OrganizationId, type TaxpayerId, TenancyOversight } from "@overa/domain"
import { Effect, Option } from "effect"
import { Refusal } from "../Refusal.ts"

/** The organization that was named. */
export const namedOrganization = Effect.fnUntraced(function*(id: OrganizationId) {
  const found = (yield* (yield* TenancyOversight).organizations).find((organization) => organization.id === id)
  return found ?? (yield* new Refusal({ sentence: `There is no organization ${id}.` }))
})

/** The taxpayer that was named, with its tenant. */
export const namedTaxpayer = Effect.fnUntraced(function*(id: TaxpayerId) {
  const found = yield* (yield* TenancyOversight).taxpayer(id)
  if (Option.isNone(found)) return yield* new Refusal({ sentence: `There is no taxpayer ${id}.` })
  const { organizationId, taxpayer } = found.value
  return { ...found.value, tenant: { organizationId, environment: taxpayer.environment } }
})
