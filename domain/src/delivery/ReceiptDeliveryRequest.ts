import { Result, Schema } from "effect"
import { requestDecoder } from "../requests/decodeRequest.ts"
import type { RequestFaults } from "../requests/Fault.ts"
import { optional, textField, uuidField } from "../requests/fields.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import { type DeliveryFormat, deliveryFormats, DeliveryLocale } from "./ReceiptDelivery.ts"
import { longestAddress, recipientFault } from "./deliverability.ts"

const formatsFault = (formats: ReadonlyArray<string>): string | undefined => {
  if (formats.length === 0) return "must have at least one format; leave it out for the receipt's preferred paper"
  return new Set(formats).size === formats.length ? undefined : "must not name a format twice"
}

/** The body of `POST /v1/receipt-deliveries`. Source: Decisions §5, Journal, reports, deliveries. */
export const ReceiptDeliveryShape = Schema.Struct({
  fiscalDocumentId: uuidField.annotate({ description: "The receipt." }),
  recipient: textField(longestAddress, { form: recipientFault }).annotate({ description: "One e-mail address, in any script." }),
  formats: optional(
    Schema.Array(Schema.Literals(deliveryFormats).annotate({ description: "A representation." })).check(
      Schema.makeFilter(formatsFault, {
        description: "What is attached; left out, what the taxpayer has set, else the PDF of its preferred paper.",
        toJsonSchema: () => ({ minItems: 1, uniqueItems: true })
      })
    )
  ),
  locale: optional(
    DeliveryLocale.annotate({ description: "Language and script of the message; left out, what the taxpayer has set." })
  )
}).annotate({ identifier: "ReceiptDeliveryRequest", description: "A receipt to be sent to its buyer." })

/** A receipt to be sent. */
export interface ReceiptDeliveryRequest {
  readonly fiscalDocumentId: FiscalDocumentId
  readonly recipient: string
  /** Null: as the taxpayer's settings say, else the PDF of the receipt's preferred paper. */
  readonly formats: ReadonlyArray<DeliveryFormat> | null
  /** Null: as the taxpayer's settings say. */
  readonly locale: DeliveryLocale | null
}

const decode = requestDecoder(ReceiptDeliveryShape)

/** Reads the body. The taxpayer's settings supply what it leaves out. */
export const decodeReceiptDeliveryRequest = (body: unknown): Result.Result<ReceiptDeliveryRequest, RequestFaults> =>
  Result.map(decode(body), (request) => ({
    fiscalDocumentId: request.fiscalDocumentId.toLowerCase() as FiscalDocumentId,
    recipient: request.recipient,
    formats: request.formats ?? null,
    locale: request.locale ?? null
  }))
