import { sendDueDeliveries, sendPersonMails, watchDeliveries } from "@overa/domain"
import { Effect } from "effect"

/** Messages per pass and at once: as many connections as the mailer keeps open. */
const messages = { limit: 40, concurrency: 4 }

/** Queued receipts are handed to the mail server (Decisions §12). */
export const sendReceiptDeliveries = {
  name: "sendReceiptDeliveries",
  pass: Effect.map(sendDueDeliveries(messages), (claimed) => claimed === messages.limit),
  pauseMillis: 1_000,
  busyPauseMillis: 10
}

const personMails = 20

/** Queued messages to people of the portal are handed to the mail server. */
export const sendPortalMails = {
  name: "sendPortalMails",
  pass: Effect.map(sendPersonMails(personMails), (claimed) => claimed === personMails),
  pauseMillis: 1_000,
  busyPauseMillis: 10
}

/** A message that has waited over 15 minutes goes to the attention list. */
export const watchReceiptDeliveries = {
  name: "watchReceiptDeliveries",
  pass: Effect.map(watchDeliveries(), () => false),
  pauseMillis: 60_000,
  busyPauseMillis: 60_000
}
