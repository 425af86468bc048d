import {
  type Act,
  BusinessPremiseId,
  type Environment,
  type NewTaxpayer,
  type OrganizationId,
  TaxpayerActs,
  TaxpayerAlreadyExists,
  TaxpayerId
} from "@overa/domain"
import { DateTime, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { type MemoryShop, memoryShop } from "./memoryTenancy.ts"

/** The one act that HTTP performs, over the same shops that the tenancy reads. */
export const memoryAdministration = (shops: Array<MemoryShop>): Layer.Layer<TaxpayerActs> =>
  Layer.succeed(
    TaxpayerActs,
    // HTTP performs this act and no other; any other call must make the test fail.
    {
      createTaxpayer: (
        _act: Act,
        organizationId: OrganizationId,
        environment: Environment,
        asked: NewTaxpayer
      ) => {
        const taken = shops.some(({ place }) =>
          place.taxpayer.environment === environment && place.taxpayer.taxIdentifier === asked.taxIdentifier)
        if (taken) return new TaxpayerAlreadyExists({ taxIdentifier: asked.taxIdentifier })
        const times = { createdAt: DateTime.nowUnsafe(), updatedAt: DateTime.nowUnsafe() }
        const { businessPremises, ...facts } = asked
        const taxpayer = { ...facts, id: TaxpayerId.make(randomUUID()), environment, status: "active" as const, ...times }
        const premises = businessPremises.map(({ name, puIdentifier }) => ({
          premise: {
            id: BusinessPremiseId.make(randomUUID()),
            taxpayerId: taxpayer.id,
            puIdentifier,
            name,
            commerceMode: "distance" as const,
            environment,
            paymentMode: "all" as const,
            status: "active" as const,
            ...times
          },
          elementId: null,
          personId: null
        }))
        const premise = premises[0]?.premise ?? null
        // Sandbox premises get an element of the pool at once (Decisions §5).
        const activeElement = memoryShop(organizationId, environment).place.activeElement
        const place = { taxpayer, premise, activeElement, preferredPaperFormat: "a4" as const, brandingId: null }
        shops.push({ organizationId, environment, place })
        return Effect.succeed({ taxpayer, premises })
      }
    } as Pick<TaxpayerActs["Service"], never> as TaxpayerActs["Service"]
  )
