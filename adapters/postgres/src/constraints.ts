/** The constraints whose violation is an answer and not a bug, by their name in the schema. Any other violation is a defect. */
export const constraints = {
  /** One operation per key (Decisions §3). */
  operationKey: "operations_key_unique",
  /** One document per number of the V-PFR (Decisions §4). */
  invoiceNumber: "operations_invoice_number_unique",
  /** One document of an advance case is in flight at a time (Decisions §5): whatever is kept out by it may be stored later. */
  oneInFlightInCase: "operations_one_in_flight_in_case",
  /** A company exists once per environment (Spec, Authentication 7). */
  taxIdentifier: "directory_taxpayers_pk",
  /** A sku names one product of its taxpayer (Spec, Catalogue operations). */
  sku: "products_sku_unique",
  /** One refund of a proforma or training sale at a time (Decisions §5). */
  proformaTrainingSource: "proforma_training_source_claimed_once",
  puIdentifier: "business_premises_pu_identifier_unique",
  jid: "directory_elements_pk",
  clientId: "directory_clients_pk",
  email: "people_email_unique",
  passkey: "portal_passkeys_pk",
  issuerAccountOfPerson: "portal_issuer_accounts_one_of_person",
  /** One invoice for each organization and month; one number for each invoice of a year, without gaps (docs/adr/0113). */
  invoiceMonth: "invoices_month_once",
  invoiceIssueNumber: "invoices_pk",
  priceListVersion: "price_lists_pk",
  issuerVersion: "invoice_issuers_pk",
  paymentNote: "payment_notes_pk",
  /** A name is one of a person's saved searches. */
  savedSearchName: "saved_searches_name_unique"
} as const
