import type { BusinessPremise, SecurityElement, Taxpayer } from "@overa/domain"
import { DateTime } from "effect"
import { utcTime } from "@overa/host-kit"

/** Source: Decisions §5, Operations, setup, licence. */
export const taxpayerJson = (taxpayer: Taxpayer) => ({
  id: taxpayer.id,
  taxIdentifier: taxpayer.taxIdentifier,
  name: taxpayer.name,
  address: taxpayer.address,
  city: taxpayer.city,
  environment: taxpayer.environment,
  vatStatus: taxpayer.vatStatus,
  status: taxpayer.status,
  createdAt: utcTime(taxpayer.createdAt),
  updatedAt: utcTime(taxpayer.updatedAt)
})

/** Source: Spec, Resources, BusinessPremise. */
export const businessPremiseJson = (premise: BusinessPremise) => ({
  id: premise.id,
  taxpayerId: premise.taxpayerId,
  puIdentifier: premise.puIdentifier,
  name: premise.name,
  commerceMode: premise.commerceMode,
  environment: premise.environment,
  paymentMode: premise.paymentMode,
  status: premise.status,
  createdAt: utcTime(premise.createdAt),
  updatedAt: utcTime(premise.updatedAt)
})

const dayMillis = 24 * 3_600_000

/** Source: Decisions §5, GET /v1/security-elements. `daysLeft` counts whole days, negative once expired. */
export const securityElementJson = (element: SecurityElement, now: DateTime.Utc) => ({
  id: element.id,
  taxpayerId: element.taxpayerId,
  businessPremiseId: element.businessPremiseId,
  environment: element.environment,
  jid: element.jid,
  subject: element.subject,
  issuer: element.issuer,
  serialNumber: element.serialNumber,
  fingerprintSha256: element.fingerprintSha256,
  validFrom: utcTime(element.validFrom),
  validTo: utcTime(element.validTo),
  daysLeft: Math.floor((DateTime.toEpochMillis(element.validTo) - DateTime.toEpochMillis(now)) / dayMillis),
  status: element.status
})
