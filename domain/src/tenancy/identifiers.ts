import { Schema } from "effect"

/** Identifiers are UUIDs in lower case; version 7 where the service makes them (Decisions §1). */
export const OrganizationId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("OrganizationId"))
export type OrganizationId = typeof OrganizationId.Type
export const TaxpayerId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("TaxpayerId"))
export type TaxpayerId = typeof TaxpayerId.Type
export const BusinessPremiseId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("BusinessPremiseId"))
export type BusinessPremiseId = typeof BusinessPremiseId.Type
export const SecurityElementId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("SecurityElementId"))
export type SecurityElementId = typeof SecurityElementId.Type
/** The identifier of a fiscal document, which is also its operation's. */
export const FiscalDocumentId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("FiscalDocumentId"))
export type FiscalDocumentId = typeof FiscalDocumentId.Type
export const WorkflowId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("WorkflowId"))
export type WorkflowId = typeof WorkflowId.Type
