import {
  BusinessPremiseId,
  type Environment,
  type License,
  OrganizationId,
  type PremiseForIssuing,
  SecurityElementId,
  TaxpayerId,
  TenancyDirectory
} from "@overa/domain"
import { DateTime, Effect, Layer, Option } from "effect"
import { randomUUID } from "node:crypto"
import type { ProductShop } from "./sampleProducts.ts"

const then = DateTime.makeUnsafe("2026-01-01T00:00:00Z")

/** One taxpayer with one premise and its element, all of it changeable by a test. */
export interface MemoryShop {
  readonly organizationId: OrganizationId
  readonly environment: Environment
  place: PremiseForIssuing
}

/** A shop that can issue. */
export const memoryShop = (organizationId: OrganizationId, environment: Environment): MemoryShop => {
  const taxpayerId = TaxpayerId.make(randomUUID())
  const times = { createdAt: then, updatedAt: then }
  return {
    organizationId,
    environment,
    place: {
      taxpayer: {
        id: taxpayerId,
        taxIdentifier: "100000008",
        name: "Продавница Д.О.О.",
        address: "Кнеза Милоша 1",
        city: null,
        environment,
        vatStatus: "IN_VAT",
        status: "active",
        ...times
      },
      premise: {
        id: BusinessPremiseId.make(randomUUID()),
        taxpayerId,
        puIdentifier: "1015151",
        name: "Веб продавница",
        commerceMode: "distance",
        environment,
        paymentMode: "all",
        status: "active",
        ...times
      },
      activeElement: {
        id: SecurityElementId.make(randomUUID()),
        jid: randomUUID().slice(0, 8).toUpperCase(),
        environment,
        validTo: DateTime.add(DateTime.nowUnsafe(), { days: 400 })
      },
      preferredPaperFormat: "a4",
      brandingId: null
    }
  }
}

/** Adds a shop with this taxpayer to a list of shops. */
export const registerIn = (shops: Array<MemoryShop>) => async ({ taxpayerId, tenant }: ProductShop, status: "active" | "inactive" = "active"): Promise<void> => {
  const shop = memoryShop(tenant.organizationId, tenant.environment)
  shop.place = { ...shop.place, taxpayer: { ...shop.place.taxpayer, id: taxpayerId, status } }
  shops.push(shop)
}

const none = Effect.succeed(Option.none())

/** The tenancy of a list of shops, each in its current state. */
export const memoryTenancy = (shops: ReadonlyArray<MemoryShop>): Layer.Layer<TenancyDirectory> => {
  const ofTenant = (tenant: { readonly organizationId: OrganizationId; readonly environment: Environment }) =>
    shops.filter((shop) => shop.organizationId === tenant.organizationId && shop.environment === tenant.environment)
  return Layer.succeed(
    TenancyDirectory,
    TenancyDirectory.of({
      premiseForIssuing: (tenant, taxpayerId, premiseId) => {
        const shop = ofTenant(tenant).find(({ place }) => place.taxpayer.id === taxpayerId)
        if (shop === undefined || shop.place.taxpayer.status !== "active") return none
        const isThere = shop.place.premise?.id === premiseId
        return Effect.succeed(Option.some(isThere ? shop.place : { ...shop.place, premise: null }))
      },
      taxpayers: (tenant) => Effect.succeed(ofTenant(tenant).map(({ place }) => place.taxpayer)),
      businessPremises: (tenant, taxpayerId) => {
        const shop = ofTenant(tenant).find(({ place }) => place.taxpayer.id === taxpayerId)
        if (shop === undefined) return none
        return Effect.succeed(Option.some(shop.place.premise === null ? [] : [shop.place.premise]))
      },
      securityElements: (tenant) =>
        Effect.succeed(ofTenant(tenant).flatMap(({ environment, place }) =>
          place.activeElement === null || place.premise === null ? [] : [{
            ...place.activeElement,
            taxpayerId: place.taxpayer.id,
            businessPremiseId: place.premise.id,
            environment,
            subject: "CN=Веб продавница",
            issuer: "CN=Sandbox",
            serialNumber: "5C0000A1",
            fingerprintSha256: "9f2c",
            validFrom: then,
            status: "ACTIVE" as const
          }]
        ))
    })
  )
}

/** A valid licence. */
export const memoryLicense: License = { startsAt: then, expiresAt: null, suspended: false, modules: ["advance", "email"] }
