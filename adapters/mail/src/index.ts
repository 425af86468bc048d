export { type MailConnection, MailConnectionInvalid, smtpServerOf } from "./MailConnection.ts"
export { receiptMessage } from "./message/receiptMessage.ts"
export { SmtpReceiptMailer } from "./SmtpReceiptMailer.ts"
