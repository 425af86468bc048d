import { Environment, VatStatus } from "@overa/domain"
import { decimal, flag, integer, type JsonSchema, list, nullable, object, oneOfTexts, ref, text, utcTime, uuid } from "@overa/host-kit/contract"

const environment = oneOfTexts("The environment of the credential.", Environment.literals)
const localTime = (description: string) =>
  text(description, { pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?$" })

const taxpayerFields: Readonly<Record<string, JsonSchema>> = {
  id: uuid("The taxpayer."),
  taxIdentifier: text("The tax identifier (PIB); immutable."),
  name: text("Registered name."),
  address: nullable(text("Street and number.")),
  city: nullable(text("City.")),
  environment,
  vatStatus: oneOfTexts("Whether the taxpayer is in the VAT system.", VatStatus.literals),
  status: oneOfTexts("An inactive taxpayer issues nothing.", ["active", "inactive"]),
  createdAt: utcTime("When it was registered."),
  updatedAt: utcTime("When it last changed.")
}

/** Setup, licence and runtime. Source: Spec, Resources; Decisions §5, Operations, setup, licence. */
export const setupSchemas: Readonly<Record<string, JsonSchema>> = {
  Taxpayer: object("A company that issues receipts; once per environment.", taxpayerFields),
  TaxpayerList: object("The organization's taxpayers in the credential's environment.", { items: list("The taxpayers.", ref("Taxpayer")) }),
  RegisteredTaxpayer: object("A taxpayer just registered, with its premises.", {
    ...taxpayerFields,
    businessPremises: list("The premises.", ref("BusinessPremise"))
  }),
  BusinessPremise: object("A place of business.", {
    id: uuid("The premise."),
    taxpayerId: uuid("The taxpayer it belongs to."),
    puIdentifier: text("The tax authority's premise identifier; immutable."),
    name: text("Its name."),
    commerceMode: oneOfTexts("Only distance-commerce premises issue here.", ["distance", "in_person"]),
    environment,
    paymentMode: oneOfTexts("`restricted` allows OTHER, CASH, WIRE_TRANSFER and VOUCHER only.", ["all", "restricted"]),
    status: oneOfTexts("Only an active premise issues.", ["active", "suspended", "closed"]),
    createdAt: utcTime("When it was registered."),
    updatedAt: utcTime("When it last changed.")
  }),
  BusinessPremiseList: object("The taxpayer's premises.", { items: list("The premises.", ref("BusinessPremise")) }),
  TaxRateConfiguration: object("The labels a receipt of this premise may carry now.", {
    source: oneOfTexts("Who published them.", ["V-PFR"]),
    environment,
    taxpayerId: uuid("The taxpayer it belongs to."),
    businessPremiseId: uuid("The premise it belongs to."),
    currentTaxGroupId: integer("The V-PFR's group."),
    validFrom: localTime("Since when the group is valid, Belgrade local time."),
    fetchedAt: utcTime("When the V-PFR was asked."),
    labels: list("The labels.", object("One label.", {
      label: text("The label itself; compared code point for code point."),
      category: text("The category's name."),
      categoryType: { type: "integer", enum: [0, 1, 2], description: "0 tax on net, 1 tax on total, 2 amount per quantity." },
      rate: decimal("Percent; dinars per unit for category type 2."),
      activeFrom: localTime("Since when, Belgrade local time.")
    }))
  }),
  License: object("Whether production receipts may be issued.", {
    licensed: flag("A licence exists."),
    productionFiscalizationAllowed: flag("Production receipts may be issued now."),
    reason: nullable(oneOfTexts("Why not.", ["LICENSE_REQUIRED", "LICENSE_NOT_STARTED", "LICENSE_EXPIRED", "LICENSE_SUSPENDED"])),
    startsAt: nullable(utcTime("When the licence starts.")),
    expiresAt: nullable(utcTime("When it ends.")),
    suspended: flag("Suspended by the operator."),
    modules: list("Modules enabled.", oneOfTexts("A module.", ["advance", "email"])),
    includedDocumentsPerMonth: integer("Documents included a month; more never block."),
    documentsThisMonth: integer("Production receipts of the organization in this Belgrade month.", { minimum: 0 })
  }),
  SecurityElement: object("A security element's certificate facts.", {
    id: uuid("The element."),
    taxpayerId: uuid("The taxpayer it belongs to."),
    businessPremiseId: uuid("The premise it belongs to."),
    environment,
    jid: text("Its JID."),
    subject: text("Certificate subject."),
    issuer: text("Certificate issuer."),
    serialNumber: text("Certificate serial number."),
    fingerprintSha256: text("Certificate fingerprint."),
    validFrom: utcTime("Valid from."),
    validTo: utcTime("Valid to."),
    daysLeft: integer("Whole days until it expires; negative after."),
    status: oneOfTexts("Its state.", ["UPLOADED", "ACTIVE", "REPLACED", "EXPIRED"])
  }),
  SecurityElementList: object("The organization's elements in the credential's environment.", {
    items: list("The elements.", ref("SecurityElement"))
  }),
  Runtime: object("This installation, as the credential sees it.", {
    manufacturer: text("Who makes it."),
    productName: text("What it is."),
    esirNumber: text("Approval number of the tax authority; empty until it is assigned."),
    softwareVersion: text("Version of the software."),
    buildCommit: text("The source it was built from."),
    instanceId: text("The host that answered."),
    organizationId: uuid("The credential's organization."),
    clientId: text("The credential."),
    fiscalEndpointsEnabled: flag("Fiscal calls of this credential are served."),
    pfrAdapter: oneOfTexts("`configured` means fiscalization is possible.", ["configured", "not_configured"])
  })
}
