import type { InvoiceType, TransactionType } from "../documents/InvoiceType.ts"
import type { PaymentType } from "../documents/LineItem.ts"

/** First and last line of Normal and Advance receipts (V-PFR §8.1). */
export const fiscalFrame = {
  first: "============ ФИСКАЛНИ РАЧУН ============",
  last: "======== КРАЈ ФИСКАЛНОГ РАЧУНА ========="
} as const

const notFiscal = "======== ОВО НИЈЕ ФИСКАЛНИ РАЧУН ======="

/** First and last line of copies, proforma and training documents. */
export const nonFiscalFrame = { first: notFiscal, last: notFiscal } as const

export const nonFiscalNotice = "ОВО НИЈЕ ФИСКАЛНИ РАЧУН"

/** The keys of lines, in the words of the V-PFR's Serbian journal (V-PFR §8.2). */
export const keys = {
  cashier: "Касир:",
  buyer: "ИД купца:",
  buyerOptionalField: "Опционо поље купца:",
  esirNumber: "ЕСИР број:",
  esirTime: "ЕСИР време:",
  referenceNumber: "Реф. број:",
  referenceTime: "Реф. време:",
  total: "Укупан износ:",
  totalRefund: "Укупна рефундација:",
  totalTax: "Укупан износ пореза:",
  pfrTime: "ПФР време:",
  pfrNumber: "ПФР број рачуна:",
  counter: "Бројач рачуна:"
} as const

export const heads = {
  items: "Артикли",
  itemColumns: "Назив   Цена         Кол.         Укупно",
  taxColumns: "Ознака       Име      Стопа        Порез"
} as const

/** The type line, e.g. `ПРОМЕТ ПРОДАЈА` (V-PFR §8.3). */
export const invoiceTypeWord: Readonly<Record<InvoiceType, string>> = {
  NORMAL: "ПРОМЕТ",
  ADVANCE: "АВАНС",
  COPY: "КОПИЈА",
  PROFORMA: "ПРЕДРАЧУН",
  TRAINING: "ОБУКА"
}
export const transactionWord: Readonly<Record<TransactionType, string>> = { SALE: "ПРОДАЈА", REFUND: "РЕФУНДАЦИЈА" }

/** V-PFR §8.4. */
export const paymentWord: Readonly<Record<PaymentType, string>> = {
  CASH: "Готовина",
  CARD: "Платна картица",
  CHECK: "Чек",
  WIRE_TRANSFER: "Пренос на рачун",
  VOUCHER: "Ваучер",
  INSTANT_PAYMENT: "Инстант плаћање",
  OTHER: "Друго безготовинско плаћање"
}
