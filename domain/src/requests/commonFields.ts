import { BigDecimal, Schema } from "effect"
import type { Metadata } from "../documents/DocumentContent.ts"
import { BusinessPremiseId, TaxpayerId } from "../tenancy/identifiers.ts"
import { isObject } from "./bodyTree.ts"
import { codePoints, noControlCharacters, optional, textFault, textField, uuidField } from "./textField.ts"
import { UnrepresentableNumber } from "./UnrepresentableNumber.ts"

/** The caller's order, invoice or transaction (Spec, fiscal-documents; bounds: Decisions §1). */
export const clientReferenceField = textField(200).annotate({
  description: "Your order, invoice or transaction reference; searchable, need not be unique."
})

/** Free text under the fiscal part; the only text that may hold line feeds (Spec, Limits; Decisions §1). */
export const commercialFooterField = textField(2000, { newlines: true }).annotate({
  description: "Free text under the fiscal part, never inside it."
})

/** Bounds of metadata, lengths in characters (Decisions §1). */
const metadataBounds = { keys: 50, keyLength: 64, valueLength: 500 }

const valueFault = (value: unknown): string | undefined => {
  if (value === null || typeof value === "boolean" || value === "" || BigDecimal.isBigDecimal(value)) return undefined
  if (typeof value === "string") return textFault(value, metadataBounds.valueLength)
  return value instanceof UnrepresentableNumber
    ? "must be a number of at most 15 significant digits"
    : "must be a text, a number, true, false or null"
}

const keyFault = (key: string): string | undefined => {
  if (key === "") return "must have a name"
  if (codePoints(key) > metadataBounds.keyLength) return `must have a name of at most ${metadataBounds.keyLength} characters`
  const fault = textFault(key, metadataBounds.keyLength)
  return fault === undefined ? undefined : `has a name that ${fault}`
}

/** For a map far above its limit, the faults of the first members are enough. */
const mostJudged = 200

const metadataFaults = (metadata: Metadata): ReadonlyArray<Schema.FilterIssue> => {
  const entries = Object.entries(metadata)
  const tooMany = entries.length > metadataBounds.keys ? [`must have at most ${metadataBounds.keys} keys`] : []
  const each = entries.slice(0, mostJudged).flatMap(([key, value]) => {
    const fault = keyFault(key) ?? valueFault(value)
    return fault === undefined ? [] : [{ path: [key], issue: fault }]
  })
  return [...tooMany, ...each]
}

/**
 * The caller's own key-value pairs (Decisions §1). Declared as a check of its own and not as a record of schemas, so that every key, also
 * `__proto__`, is only data.
 */
export const metadataField = Schema.declare((node): node is Metadata => isObject(node), { expected: "an object" }).check(
  Schema.makeFilter(metadataFaults, {
    description: "Your key-value pairs: stored with the operation, never sent to the V-PFR, not on the receipt.",
    toJsonSchema: () => ({
      type: "object",
      maxProperties: metadataBounds.keys,
      propertyNames: { minLength: 1, maxLength: metadataBounds.keyLength, pattern: noControlCharacters },
      additionalProperties: {
        type: ["string", "number", "boolean", "null"],
        maxLength: metadataBounds.valueLength,
        pattern: noControlCharacters,
        description: "One value."
      }
    })
  })
)

/** The optional fields every fiscal mutation has in common (Decisions §5). */
export const optionalMutationFields = {
  clientReference: optional(clientReferenceField),
  commercialFooter: optional(commercialFooterField),
  metadata: optional(metadataField)
}

/** The same fields, where the caller must give its `clientReference`. */
export const mutationFields = { ...optionalMutationFields, clientReference: clientReferenceField }

/** Where a document is issued. */
export const placeFields = {
  taxpayerId: uuidField.annotate({ description: "The taxpayer that issues." }),
  businessPremiseId: uuidField.annotate({ description: "An active distance-commerce premise of that taxpayer." })
}

/** Identifiers are compared in lower case. */
export const toPlace = (body: { readonly taxpayerId: string; readonly businessPremiseId: string }) => ({
  taxpayerId: body.taxpayerId.toLowerCase() as TaxpayerId,
  businessPremiseId: body.businessPremiseId.toLowerCase() as BusinessPremiseId
})

/** The footer and metadata as stored. */
export const toPrintAndMetadata = (body: {
  readonly commercialFooter?: string | null
  readonly metadata?: Metadata | null
}) => ({ commercialFooter: body.commercialFooter ?? null, metadata: body.metadata ?? null })
