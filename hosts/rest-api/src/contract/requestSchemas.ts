import { buyerIdPattern, noControlCharacters, noControlCharactersButNewline, VatStatus } from "@overa/domain"
import { decimal, type JsonSchema, list, nullable, object, oneOfTexts, ref, text, uuid } from "./JsonSchema.ts"

const dinars = (description: string, bounds: JsonSchema = {}): JsonSchema =>
  decimal(description, { minimum: 0, maximum: 999_999_999_999.99, multipleOf: 0.01, ...bounds })

/** No control characters (Decisions §1); a footer may have line feeds. */
export const noControls = { pattern: noControlCharacters }
const noControlsButNewline = { pattern: noControlCharactersButNewline }

const optionalText = (description: string, maxLength: number): JsonSchema =>
  nullable(text(description, { minLength: 1, maxLength, ...noControls }))

export const clientReference = text("Your order, invoice or transaction reference; searchable, need not be unique.", {
  minLength: 1,
  maxLength: 200,
  ...noControls
})
export const buyerId = text("`prefix:value`, e.g. `10:100000008`; visible ASCII, without spaces and diacritics.", {
  maxLength: 20,
  pattern: buyerIdPattern
})
export const commercialFooter = nullable(
  text("Free text under the fiscal part, never inside it.", { minLength: 1, maxLength: 2_000, ...noControlsButNewline })
)
export const metadata: JsonSchema = {
  type: ["object", "null"],
  description: "Your key-value pairs: stored with the operation, never sent to the V-PFR, not on the receipt.",
  maxProperties: 50,
  propertyNames: { minLength: 1, maxLength: 64 },
  additionalProperties: { type: ["string", "number", "boolean", "null"], maxLength: 500, description: "One value." }
}

export const lineItemFields: Readonly<Record<string, JsonSchema>> = {
  name: text("Printed as name/unit; together at most 2048 characters.", { minLength: 1, maxLength: 2_048, ...noControls }),
  unitOfMeasure: nullable(
    text("Required on every item except the prescribed advance item literals.", { minLength: 1, maxLength: 50, ...noControls })
  ),
  quantity: decimal("Up to three decimals.", { minimum: 0.001, maximum: 99_999_999_999.999, multipleOf: 0.001 }),
  unitPrice: dinars("Final gross unit price after discount, dinars, at most two decimals."),
  unitPriceBeforeDiscount: nullable(
    dinars("Greater than unitPrice; shown outside the fiscal part, never sent to the V-PFR.")
  ),
  gtin: nullable(text("8 to 14 digits; printed.", { pattern: "^\\d{8,14}$" })),
  catalogProductId: nullable(uuid("The catalogue product; the item is complete without it.")),
  taxLabels: list("Labels from the tax-rate read.", text("A label.", { minLength: 1, maxLength: 50, ...noControls }), {
    minItems: 1,
    uniqueItems: true
  })
}
export const optionalLineFields = ["unitOfMeasure", "unitPriceBeforeDiscount", "gtin", "catalogProductId"]

/** Request bodies. The decoders of the domain check the same bodies more strictly. Source: Spec, Request building blocks; Decisions §1. */
export const requestSchemas: Readonly<Record<string, JsonSchema>> = {
  Cashier: object("The cashier printed on the receipt.", {
    id: text("Printed.", { minLength: 1, maxLength: 50, ...noControls }),
    displayName: optionalText("A name for your own records: stored with the document, not printed and not sent to the V-PFR.", 100)
  }, ["displayName"]),
  Buyer: object("The buyer, where the regulations require identification.", {
    id: nullable(buyerId),
    optionalField: optionalText("`prefix:value`; only on a Normal Sale.", 50)
  }, ["id", "optionalField"]),
  LineItem: object("One line of the receipt.", lineItemFields, optionalLineFields),
  Payment: object("One payment.", {
    type: ref("PaymentType"),
    // More than two decimals are accepted here and rejected by the V-PFR (Decisions §1): no step.
    amount: decimal("Dinars; more than two decimals are rejected by the V-PFR with code 2804.", { minimum: 0, maximum: 999_999_999_999.99 })
  }),
  ServiceReference: object("A document this service issued.", {
    source: oneOfTexts("A document of this service.", ["SVC"]),
    fiscalDocumentId: uuid("The service fills in its PFR facts.")
  }),
  ExternalReference: object("A document of another ESIR; only a copy may refer to one.", {
    source: oneOfTexts("A document of another ESIR.", ["EXTERNAL"]),
    pfrNumber: text("Its receipt number.", { minLength: 1, maxLength: 50 }),
    pfrTime: text("Its PFR time, with an offset or Z.", { format: "date-time" }),
    invoiceType: ref("InvoiceType"),
    transactionType: ref("TransactionType")
  }),
  FiscalDocumentRequest: object("A Normal Sale, or a COPY of another ESIR's document.", {
    taxpayerId: uuid("Who issues."),
    businessPremiseId: uuid("An active distance-commerce premise of that taxpayer."),
    clientReference,
    invoiceType: oneOfTexts("NORMAL; COPY only with an EXTERNAL reference.", ["NORMAL", "COPY"]),
    transactionType: ref("TransactionType"),
    cashier: ref("Cashier"),
    items: list("The lines.", ref("LineItem"), { minItems: 1, maxItems: 1_000 }),
    payments: list("Must sum to exactly the total of the items.", ref("Payment"), { minItems: 1, maxItems: 50 }),
    buyer: nullable(ref("Buyer")),
    commercialFooter,
    metadata,
    reference: { oneOf: [ref("ExternalReference"), ref("ServiceReference"), { type: "null" }], description: "Only for a copy." }
  }, ["buyer", "commercialFooter", "metadata", "reference"]),
  CopyRequest: object("A copy of a document this service issued.", {
    cashier: ref("Cashier"),
    clientReference: nullable(clientReference),
    commercialFooter,
    metadata
  }, ["clientReference", "commercialFooter", "metadata"]),
  TaxpayerRegistration: object("A taxpayer and its premises, in the credential's environment.", {
    taxIdentifier: text("The tax identifier (PIB), nine digits; immutable.", { pattern: "^\\d{9}$" }),
    name: text("Registered name.", { minLength: 1, maxLength: 350, ...noControls }),
    address: optionalText("Street and number.", 300),
    city: optionalText("City.", 100),
    vatStatus: oneOfTexts("Whether the taxpayer is in the VAT system.", VatStatus.literals),
    businessPremises: list("Its premises.", ref("BusinessPremiseRegistration"), { minItems: 1, maxItems: 1_000 })
  }, ["address", "city"]),
  BusinessPremiseRegistration: object("One business premise.", {
    puIdentifier: text("The tax authority's premise identifier; immutable.", { minLength: 1, maxLength: 50, ...noControls }),
    name: text("Its name.", { minLength: 1, maxLength: 350, ...noControls }),
    address: optionalText("Street and number.", 300),
    city: optionalText("City.", 100)
  }, ["address", "city"])
}
