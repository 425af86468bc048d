import { Effect, Option } from "effect"
import type { ReceiptDelivery, ReceiptMail } from "../../delivery/ReceiptDelivery.ts"
import type { Branding } from "../../documents/Branding.ts"
import { formatDecimal } from "../../money/decimals.ts"
import type { Operation } from "../../operations/Operation.ts"
import { BrandingStore, ReceiptRenderer } from "../../ports/ReceiptRenderer.ts"
import { DeliveryStore } from "../../ports/DeliveryStore.ts"
import { OperationStore } from "../../ports/OperationStore.ts"
import { TenancyDirectory } from "../../ports/TenancyDirectory.ts"

const brandingOf = Effect.fnUntraced(function*({ content, environment, organizationId }: Operation) {
  if (content.brandingId === null) return null
  const found = yield* (yield* BrandingStore).find({ organizationId, environment }, content.brandingId)
  return Option.getOrNull<Branding>(found)
})

const shopOf = Effect.fnUntraced(function*(document: Operation, branding: Branding | null) {
  const settings = yield* (yield* DeliveryStore).settings(document.organizationId, document.taxpayerId)
  const taxpayers = yield* (yield* TenancyDirectory).taxpayers(document)
  const name = settings.senderName ?? taxpayers.find(({ id }) => id === document.taxpayerId)?.name ?? ""
  return { name, replyTo: settings.replyTo, branding }
})

/** Why a delivery has no message. What was erased never comes back; a receipt that a failover or a restore has lost is found again, or taken back. */
export type NoMessage = "RECIPIENT_ERASED" | "RECEIPT_NOT_HERE"

/** The message of a delivery with its attachments drawn, or why there is none. */
export const composeReceiptMail = Effect.fn("composeReceiptMail")(function*(delivery: ReceiptDelivery) {
  const renderer = yield* ReceiptRenderer
  const found = yield* (yield* OperationStore).get(delivery, delivery.fiscalDocumentId)
  const document = Option.getOrNull(found)
  if (delivery.recipient === null) return "RECIPIENT_ERASED" satisfies NoMessage
  if (document === null || document.answer === null) return "RECEIPT_NOT_HERE" satisfies NoMessage
  const { answer, content } = document
  const branding = yield* brandingOf(document)
  const attachments = yield* Effect.forEach(delivery.formats, (format) =>
    renderer.render({ operation: document, answer }, Effect.succeed(branding), format))
  const mail: ReceiptMail = {
    deliveryId: delivery.id,
    recipient: delivery.recipient,
    locale: delivery.locale,
    environment: delivery.environment,
    shop: yield* shopOf(document, branding),
    receipt: {
      invoiceType: content.invoiceType,
      transactionType: content.transactionType,
      number: answer.pfr.invoiceNumber,
      sdcTime: answer.pfr.sdcTime,
      total: formatDecimal(answer.pfr.totalAmount, 2),
      clientReference: content.clientReference,
      verificationUrl: answer.pfr.verificationUrl
    },
    attachments
  }
  return mail
})
