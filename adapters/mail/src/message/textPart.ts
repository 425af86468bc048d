import type { ReceiptMail } from "@overa/domain"
import { isolated, shownAmount, shownTime } from "./shownText.ts"
import type { Words } from "./words.ts"

/** The plain-text part: everything the message says, complete on its own. */
export const textPart = (mail: ReceiptMail, words: Words): string => {
  const { attachments, locale, receipt, shop } = mail
  const branding = shop.branding
  const note = branding?.thankYouNote ?? null
  return [
    isolated(shop.name),
    words.title,
    ...(words.notice === null ? [] : [words.notice]),
    ...(mail.environment === "sandbox" ? [words.sandbox] : []),
    "",
    words.greeting,
    "",
    `${words.total}: ${shownAmount(receipt.total, locale)}`,
    `${words.number}: ${receipt.number}`,
    `${words.time}: ${shownTime(receipt.sdcTime, locale)}`,
    `${words.order}: ${isolated(receipt.clientReference)}`,
    "",
    `${words.verify}:`,
    receipt.verificationUrl,
    "",
    ...(attachments.length === 0 ? [] : [`${words.attached}: ${attachments.map(({ fileName }) => fileName).join(", ")}`, ""]),
    ...(branding === null ? [] : branding.contactLines.map(isolated)),
    ...(note === null ? [] : ["", ...note.split("\n").map(isolated)]),
    "",
    words.automatic,
    shop.replyTo === null ? words.answersUnread : `${words.answersGoTo} ${shop.replyTo}`,
    ""
  ].join("\n")
}
