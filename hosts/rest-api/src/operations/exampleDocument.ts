const id = "01936b0e-7f3a-7c11-9d55-4f6f2a9f0c01"
const representations = `/v1/fiscal-documents/${id}/representations`
const verificationUrl = "https://sandbox.suf.purs.gov.rs/v/?vl=AzdYTFFURVE"

/** The receipt used in every example of the contract. */
export const exampleDocument = {
  id,
  taxpayerId: "01936b0e-0a00-7000-8000-000000000001",
  businessPremiseId: "01936b0e-0a00-7000-8000-000000000002",
  idempotencyKey: "order-2026-000123-sale",
  clientReference: "ORDER-2026-000123",
  invoiceType: "NORMAL",
  transactionType: "SALE",
  cashierId: "web",
  buyerId: null,
  buyerDetails: null,
  status: "FISCALIZED",
  fiscalized: true,
  failureCode: null,
  retryable: false,
  pfr: {
    invoiceNumber: "YJLQTEQR-YJLQTEQR-11389",
    sdcTime: "2026-08-29T14:03:11.0412345+02:00",
    requestedBy: "YJLQTEQR",
    signedBy: "YJLQTEQR",
    transactionTypeCounter: 10_021,
    totalCounter: 11_389,
    invoiceCounterExtension: "ПП",
    totalAmount: 2400,
    totalTax: 400,
    verificationUrl,
    journal: "============ ФИСКАЛНИ РАЧУН ============\r\n…"
  },
  receipt: {
    textUrl: `${representations}/official-text`,
    jsonUrl: `${representations}/canonical-json`,
    pdfA4Url: `${representations}/pdf-a4`,
    pdf80mmUrl: `${representations}/pdf-80mm`,
    pdf58mmUrl: `${representations}/pdf-58mm`,
    previewImageUrl: `${representations}/preview-png`,
    qrImageUrl: `${representations}/qr-svg`,
    verificationUrl,
    preferredPaperFormat: "a4"
  },
  createdAt: "2026-08-29T12:03:10.902Z",
  updatedAt: "2026-08-29T12:03:11.310Z"
}

/** A checkout of two items, paid by card. */
export const exampleSale = {
  taxpayerId: exampleDocument.taxpayerId,
  businessPremiseId: exampleDocument.businessPremiseId,
  clientReference: exampleDocument.clientReference,
  invoiceType: "NORMAL",
  transactionType: "SALE",
  cashier: { id: "web" },
  items: [{ name: "Чарапе", unitOfMeasure: "пар", quantity: 2, unitPrice: 1200, taxLabels: ["Ђ"] }],
  payments: [{ type: "CARD", amount: 2400 }]
}
