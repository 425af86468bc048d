import type {
  BusinessPremise,
  Environment,
  PaperFormat,
  PaymentMode,
  SecurityElement,
  Taxpayer,
  VatStatus
} from "@overa/domain"
import { utc } from "./OperationRow.ts"

/** A row of `taxpayers`. */
export interface TaxpayerRow {
  readonly taxpayer_id: string
  readonly environment: Environment
  readonly tax_identifier: string
  readonly name: string
  readonly address: string | null
  readonly city: string | null
  readonly vat_status: VatStatus
  readonly status: Taxpayer["status"]
  readonly preferred_paper_format: PaperFormat
  readonly branding_id: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

export const taxpayerColumns = `t.taxpayer_id, t.environment, t.tax_identifier, t.name, t.address, t.city, t.vat_status, t.status,
  t.preferred_paper_format, t.branding_id, t.created_at, t.updated_at`

export const decodeTaxpayer = (row: TaxpayerRow): Taxpayer => ({
  id: row.taxpayer_id as Taxpayer["id"],
  taxIdentifier: row.tax_identifier,
  name: row.name,
  address: row.address,
  city: row.city,
  environment: row.environment,
  vatStatus: row.vat_status,
  status: row.status,
  createdAt: utc(row.created_at),
  updatedAt: utc(row.updated_at)
})

/** A row of `business_premises`. */
export interface PremiseRow {
  readonly premise_id: string
  readonly taxpayer_id: string
  readonly environment: Environment
  readonly pu_identifier: string
  readonly name: string
  readonly commerce_mode: BusinessPremise["commerceMode"]
  readonly payment_mode: PaymentMode
  readonly status: BusinessPremise["status"]
  readonly created_at: Date
  readonly updated_at: Date
}

export const premiseColumns = `p.premise_id, p.taxpayer_id, p.environment, p.pu_identifier, p.name, p.commerce_mode,
  p.payment_mode, p.status, p.created_at, p.updated_at`

export const decodePremise = (row: PremiseRow): BusinessPremise => ({
  id: row.premise_id as BusinessPremise["id"],
  taxpayerId: row.taxpayer_id as BusinessPremise["taxpayerId"],
  puIdentifier: row.pu_identifier,
  name: row.name,
  commerceMode: row.commerce_mode,
  environment: row.environment,
  paymentMode: row.payment_mode,
  status: row.status,
  createdAt: utc(row.created_at),
  updatedAt: utc(row.updated_at)
})

/** A row of `security_elements`, without its secrets. */
export interface ElementRow {
  readonly element_id: string
  readonly taxpayer_id: string
  readonly premise_id: string
  readonly environment: Environment
  readonly jid: string
  readonly subject: string
  readonly issuer: string
  readonly serial_number: string
  readonly fingerprint_sha256: string
  readonly valid_from: Date
  readonly valid_to: Date
  readonly status: SecurityElement["status"]
}

// An element past its validity is shown as expired without a stored change; a replaced one stays replaced.
export const elementColumns = `e.element_id, e.taxpayer_id, e.premise_id, e.environment, e.jid, e.subject, e.issuer,
  e.serial_number, e.fingerprint_sha256, e.valid_from, e.valid_to,
  case when e.status in ('UPLOADED', 'ACTIVE') and e.valid_to <= now() then 'EXPIRED' else e.status end as status`

export const decodeElement = (row: ElementRow): SecurityElement => ({
  id: row.element_id as SecurityElement["id"],
  taxpayerId: row.taxpayer_id as SecurityElement["taxpayerId"],
  businessPremiseId: row.premise_id as SecurityElement["businessPremiseId"],
  environment: row.environment,
  jid: row.jid,
  subject: row.subject,
  issuer: row.issuer,
  serialNumber: row.serial_number,
  fingerprintSha256: row.fingerprint_sha256,
  validFrom: utc(row.valid_from),
  validTo: utc(row.valid_to),
  status: row.status
})
