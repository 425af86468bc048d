import type { ReceiptDeliveryId, ReceiptMail } from "@overa/domain"

const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64")

export const sampleMail = (change: Partial<ReceiptMail> = {}): ReceiptMail => ({
  deliveryId: "30000000-0000-7000-8000-000000000001" as ReceiptDeliveryId,
  recipient: "kupac@example.rs",
  locale: "sr-Cyrl",
  environment: "production",
  shop: {
    name: "Књижара Зора",
    replyTo: "kontakt@zora.example.rs",
    branding: {
      logo: { mediaType: "image/png", bytes: new Uint8Array(png) },
      contactLines: ["Књижара Зора", "011 123 456"],
      thankYouNote: "Хвала на поверењу.\nДођите нам опет!"
    }
  },
  receipt: {
    invoiceType: "NORMAL",
    transactionType: "SALE",
    number: "ABCD2345-ABCD2345-1234",
    sdcTime: "2026-08-29T12:34:56.1234567+02:00",
    total: "1234567.50",
    clientReference: "поруџбина 15",
    verificationUrl: `https://suf.purs.gov.rs/v/?vl=${"A1%2Bb".repeat(180)}`
  },
  attachments: [{ bytes: new TextEncoder().encode("%PDF-1.7 sample"), mediaType: "application/pdf", fileName: "ABCD2345-ABCD2345-1234.pdf" }],
  ...change
})
