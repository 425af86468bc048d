import type { ReceiptDelivery } from "@overa/domain"
import { Effect } from "effect"
import type { FinishedRun, Violation } from "./FinishedRun.ts"
import type { MailDeed, ReceivedMail } from "./SimulatedMail.ts"

const hasMessage = (deed: MailDeed): boolean => deed === "taken" || deed === "taken, answer lost"

/**
 * A failover or a restore has lost the whole document, and no process and no caller has brought it back: nothing can be sent of it, nobody can know whether
 * its receipt comes back, and the delivery waits. One whose document is stored has no such excuse: its receipt must be found and sent.
 */
const isOfLostDocument = ({ store }: FinishedRun, { fiscalDocumentId }: ReceiptDelivery): boolean =>
  store.hasGoneBack && !store.memory.byId.has(fiscalDocumentId)

/** A delivery has come to its end, and that end is what the mail server did, or what workers did who were killed while they handed it over. */
const checkEnd = (run: FinishedRun, delivery: ReceiptDelivery, received: ReadonlyArray<ReceivedMail>): ReadonlyArray<Violation> => {
  const { mail, store } = run
  const { boundKey: { key }, failure, id, status } = delivery
  const what = `${key}, ${id}, is ${status} ${failure ?? ""} after ${received.map(({ deed }) => deed).join("; ") || "nothing"}`
  const taken = received.filter(({ deed }) => hasMessage(deed)).length
  const isLost = isOfLostDocument(run, delivery)
  const isFailed = failure === "REFUSED" ? received.some(({ deed }) => deed === "no") : (mail.begun.get(id) ?? 0) > 1 || (failure === "EXHAUSTED" && isLost)
  const isRight = status === "SENT" ? taken > 0 : status === "FAILED" && isFailed
  return [
    ...(status === "QUEUED" ? isLost ? [] : [`${what}, and waits when all is calm`] : isRight ? [] : [what]),
    // A failover forgets that a message was handed over.
    ...(taken > 2 && !store.hasGoneBack ? [`${what}: the buyer has it ${taken} times`] : [])
  ]
}

/** What the buyers have got is a receipt, of the document that was asked for. */
const checkReceived = ({ store, vpfr }: FinishedRun, { boundKey: { key }, fiscalDocumentId }: ReceiptDelivery, received: ReadonlyArray<ReceivedMail>): ReadonlyArray<Violation> => {
  const signed = new Set(vpfr.receipts.map(({ invoiceNumber }) => invoiceNumber))
  const held = store.memory.byId.get(fiscalDocumentId)?.operation.answer?.pfr.invoiceNumber
  return received.flatMap(({ invoiceNumber }) => [
    ...(signed.has(invoiceNumber) ? [] : [`${key}: the buyer has got ${invoiceNumber}, which the V-PFR never signed`]),
    ...(held === invoiceNumber || store.hasGoneBack ? [] : [`${key}: the buyer has got ${invoiceNumber}, and the receipt is ${held ?? "none"}`])
  ])
}

/** A delivery is accepted for a receipt alone; what was accepted stays, under one key once, unless a failover or a restore has lost it. */
const checkAccepted = ({ mail, store }: FinishedRun, stored: ReadonlyMap<string, ReceiptDelivery>): ReadonlyArray<Violation> => {
  const byKey = new Map<string, string>()
  return mail.heard.flatMap(({ deliveryId, isReceipt, key, receiptKey }) => {
    const first = byKey.get(key) ?? deliveryId
    byKey.set(key, first)
    return [
      ...(isReceipt ? [] : [`${key} was accepted, and ${receiptKey} had no receipt`]),
      ...(first === deliveryId || store.hasGoneBack ? [] : [`${key} was answered with two deliveries`]),
      ...(stored.has(deliveryId) || store.hasGoneBack ? [] : [`${key} was accepted and is not kept`])
    ]
  })
}

/** A receipt that exists is not refused, unless what a failover or a restore has lost, or what was erased, is why. */
const checkRefused = ({ mail, store }: FinishedRun, erased: ReadonlySet<string>): ReadonlyArray<Violation> =>
  mail.refused.flatMap(({ key, tag }) => {
    const isRight = store.hasGoneBack || erased.has(key) || (tag === "ReceiptDeliveryDocumentNotFiscalized" && key.startsWith("early-"))
    return isRight ? [] : [`${key} was refused with ${tag}`]
  })

/** The promises about receipts by mail (Decisions §12): each is sent, none without a receipt, none a third time. */
export const checkMail = (run: FinishedRun): Effect.Effect<ReadonlyArray<Violation>> =>
  Effect.map(run.store.behind.mail.all, (all) => {
    const stored = new Map<string, ReceiptDelivery>(all.map((delivery) => [delivery.id, delivery]))
    const erased = new Set(all.filter(({ recipient }) => recipient === null).map(({ boundKey: { key } }) => key))
    return [
      ...run.mail.faults,
      ...all.flatMap((delivery) => {
        const received = run.mail.received.get(delivery.id) ?? []
        return [...checkEnd(run, delivery, received), ...checkReceived(run, delivery, received)]
      }),
      ...checkAccepted(run, stored),
      ...checkRefused(run, erased)
    ]
  })
