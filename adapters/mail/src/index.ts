export { type MailConnection, MailConnectionInvalid, smtpServerOf } from "./MailConnection.ts"
export { receiptMessage } from "./message/receiptMessage.ts"
export { personMessage, SmtpPersonMailer } from "./SmtpPersonMailer.ts"
export { SmtpReceiptMailer } from "./SmtpReceiptMailer.ts"
