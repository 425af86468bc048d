import {
  type BusinessPremiseId,
  type OrganizationId,
  type SecurityElement,
  type PremiseForIssuing,
  type SecurityElementId,
  type TaxpayerId
} from "@overa/domain"
import { DateTime } from "effect"

/** The one tenant of a simulated world, its taxpayer and premise. */
export const tenant = {
  organizationId: "01900000-0000-7000-8000-000000000001" as OrganizationId,
  environment: "production" as const
}
export const taxpayerId = "01900000-0000-7000-8000-0000000000a1" as TaxpayerId
export const businessPremiseId = "01900000-0000-7000-8000-0000000000b1" as BusinessPremiseId

export interface SimulatedElement {
  readonly id: SecurityElementId
  readonly jid: string
}

/** The premise's first element, and the one that replaces it in the middle of some runs. */
export const elements: readonly [SimulatedElement, SimulatedElement] = [
  { id: "01900000-0000-7000-8000-0000000000e1" as SecurityElementId, jid: "ELEMENT1" },
  { id: "01900000-0000-7000-8000-0000000000e2" as SecurityElementId, jid: "ELEMENT2" }
]

const endless = DateTime.toUtc(DateTime.makeUnsafe("2100-01-01T00:00:00Z"))

/** An element as the directory lists it. */
export const asStored = ({ id, jid }: SimulatedElement): SecurityElement => ({
  id, jid, taxpayerId, businessPremiseId, environment: tenant.environment, subject: "Shop", issuer: "CA", serialNumber: "1", fingerprintSha256: "00",
  validFrom: DateTime.toUtc(DateTime.makeUnsafe(0)), validTo: endless, status: "ACTIVE"
})

const long = { createdAt: DateTime.toUtc(DateTime.makeUnsafe(0)), updatedAt: DateTime.toUtc(DateTime.makeUnsafe(0)) }

/** The premise as the tenancy directory shows it while an element is active, with the end of its certificate; null where it has none. */
export const placeWith = (element: SimulatedElement, validTo: number | null = null): PremiseForIssuing => ({
  taxpayer: {
    ...long,
    id: taxpayerId,
    taxIdentifier: "100000008",
    name: "Shop",
    address: null,
    city: null,
    environment: tenant.environment,
    vatStatus: "IN_VAT",
    status: "active"
  },
  premise: {
    ...long,
    id: businessPremiseId,
    taxpayerId,
    puIdentifier: "1",
    name: "Web",
    commerceMode: "distance",
    environment: tenant.environment,
    paymentMode: "all",
    status: "active"
  },
  activeElement: { ...element, environment: tenant.environment, validTo: validTo === null ? endless : DateTime.toUtc(DateTime.makeUnsafe(validTo)) },
  preferredPaperFormat: "a4",
  brandingId: null
})
