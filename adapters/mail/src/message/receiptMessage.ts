import type { ReceiptMail } from "@overa/domain"
import MailComposer from "nodemailer/lib/mail-composer"
import { htmlPart, logoId } from "./htmlPart.ts"
import { headerName } from "./shownText.ts"
import { textPart } from "./textPart.ts"
import { wordsFor } from "./words.ts"

/** Mail readers draw no SVG: such a logo is left out, and the shop's name identifies the sender. */
const shownLogo = ({ shop }: ReceiptMail) => {
  const logo = shop.branding?.logo ?? null
  return logo === null || logo.mediaType === "image/svg+xml" ? null : logo
}

const attachmentsOf = (mail: ReceiptMail) => {
  const logo = shownLogo(mail)
  return [
    ...(logo === null ? [] : [{
      cid: logoId,
      filename: logo.mediaType === "image/png" ? "logo.png" : "logo.jpg",
      content: Buffer.from(logo.bytes),
      contentType: logo.mediaType,
      contentDisposition: "inline" as const
    }]),
    ...mail.attachments.map(({ bytes, fileName, mediaType }) => ({
      filename: fileName,
      content: Buffer.from(bytes),
      contentType: mediaType,
      contentDisposition: "attachment" as const
    }))
  ]
}

/**
 * Marks the message as automatic, so that no program answers it (RFC 3834; the second header is Exchange's own). List-Unsubscribe gives the address
 * to write to (RFC 2369), because there is no list to leave.
 */
const headersOf = ({ shop }: ReceiptMail): Record<string, string> => ({
  "Auto-Submitted": "auto-generated",
  "X-Auto-Response-Suppress": "All",
  ...(shop.replyTo === null ? {} : { "List-Unsubscribe": `<mailto:${encodeURIComponent(shop.replyTo).replaceAll("%40", "@")}>` })
})

/** The only Message-ID of a message, whatever it is about. */
export const messageIdFor = (id: string, sender: string): string => `<${id}@${sender.slice(sender.lastIndexOf("@") + 1)}>`

/** A delivery's only Message-ID: every attempt has the same, so that a second copy is recognized (Decisions §12). */
export const messageIdOf = (mail: ReceiptMail, sender: string): string => messageIdFor(mail.deliveryId, sender)

/** A complete message: its bytes, and its addresses in the form of SMTP (a domain in another script encoded). */
export interface ComposedMessage {
  readonly bytes: Buffer
  readonly envelope: { readonly from: string; readonly to: ReadonlyArray<string> }
}

const composerOf = (mail: ReceiptMail, sender: string) => {
  const words = wordsFor(mail.receipt, mail.locale)
  const shopName = headerName(mail.shop.name)
  return new MailComposer({
    messageId: messageIdOf(mail, sender),
    from: { name: shopName, address: sender },
    to: mail.recipient,
    ...(mail.shop.replyTo === null ? {} : { replyTo: mail.shop.replyTo }),
    subject: `${mail.environment === "sandbox" ? "[TEST] " : ""}${words.title} ${mail.receipt.number}, ${shopName}`,
    headers: headersOf(mail),
    text: textPart(mail, words),
    html: htmlPart(mail, words, shownLogo(mail) !== null),
    attachments: attachmentsOf(mail),
    disableFileAccess: true,
    disableUrlAccess: true
  })
}

/** The whole message as it goes over the wire. */
export const receiptMessage = async (mail: ReceiptMail, sender: string): Promise<ComposedMessage> => {
  const node = composerOf(mail, sender).compile()
  const bytes = await node.build()
  return { bytes, envelope: { from: sender, to: node.getEnvelope().to } }
}
