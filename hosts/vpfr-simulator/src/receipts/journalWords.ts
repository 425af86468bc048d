import type { InvoiceType, PaymentType, TransactionType } from "../protocol/InvoiceRequest.ts"

/** The languages the V-PFR announces, the default first (V-PFR §1.4). */
export const supportedLanguages = ["sr-Cyrl-RS", "en-US"] as const
export type Language = (typeof supportedLanguages)[number]

export interface JournalWords {
  readonly fiscalTitle: string
  readonly fiscalClosing: string
  /** Title and closing of copies, proforma and training receipts. */
  readonly nonFiscalFrame: string
  /** Their notice in the middle. */
  readonly nonFiscalNotice: string
  /** TIN, name, place, address and district, in the form that has keys. */
  readonly seller: ReadonlyArray<string>
  readonly cashier: string
  readonly buyer: string
  readonly buyerCostCenter: string
  readonly posNumber: string
  readonly posTime: string
  readonly referenceNumber: string
  readonly referenceTime: string
  readonly items: string
  readonly itemHead: string
  readonly total: string
  readonly totalRefund: string
  readonly taxHead: string
  readonly totalTax: string
  readonly sdcTime: string
  readonly sdcNumber: string
  readonly sdcCounter: string
  readonly invoiceTypes: Record<InvoiceType, string>
  readonly transactionTypes: Record<TransactionType, string>
  readonly paymentTypes: Record<PaymentType, string>
  /** The two letters behind the counter, first by type, then by transaction (V-PFR §8.3). */
  readonly extensions: { readonly type: Record<InvoiceType, string>; readonly transaction: Record<TransactionType, string> }
  /** The answer's `messages`. */
  readonly success: string
}

/** The words of the real journal (V-PFR §8.1–8.4). */
const serbian: JournalWords = {
  // Whole lines as observed: the odd sign is on the right in one and on the left in the other.
  fiscalTitle: "============ ФИСКАЛНИ РАЧУН ============",
  fiscalClosing: "======== КРАЈ ФИСКАЛНОГ РАЧУНА =========",
  nonFiscalFrame: "======== ОВО НИЈЕ ФИСКАЛНИ РАЧУН =======",
  nonFiscalNotice: "ОВО НИЈЕ ФИСКАЛНИ РАЧУН",
  seller: ["ПИБ:", "Предузеће:", "Место продаје:", "Адреса:", "Општина:"],
  cashier: "Касир:",
  buyer: "ИД купца:",
  buyerCostCenter: "Опционо поље купца:",
  posNumber: "ЕСИР број:",
  posTime: "ЕСИР време:",
  referenceNumber: "Реф. број:",
  referenceTime: "Реф. време:",
  items: "Артикли",
  itemHead: "Назив   Цена         Кол.         Укупно",
  total: "Укупан износ:",
  totalRefund: "Укупна рефундација:",
  taxHead: "Ознака       Име      Стопа        Порез",
  totalTax: "Укупан износ пореза:",
  sdcTime: "ПФР време:",
  sdcNumber: "ПФР број рачуна:",
  sdcCounter: "Бројач рачуна:",
  invoiceTypes: { Normal: "ПРОМЕТ", ProForma: "ПРЕДРАЧУН", Copy: "КОПИЈА", Training: "ОБУКА", Advance: "АВАНС" },
  transactionTypes: { Sale: "ПРОДАЈА", Refund: "РЕФУНДАЦИЈА" },
  paymentTypes: {
    Other: "Друго безготовинско плаћање",
    Cash: "Готовина",
    Card: "Платна картица",
    Check: "Чек",
    WireTransfer: "Пренос на рачун",
    Voucher: "Ваучер",
    MobileMoney: "Инстант плаћање"
  },
  extensions: {
    type: { Normal: "П", ProForma: "Р", Copy: "К", Training: "О", Advance: "А" },
    transaction: { Sale: "П", Refund: "Р" }
  },
  success: "Успешно"
}

/** No English journal is known (V-PFR §12.3): the letters are the authority's, the words are the simulator's own. */
const english: JournalWords = {
  fiscalTitle: "============ FISCAL INVOICE ============",
  fiscalClosing: "======== END OF FISCAL INVOICE =========",
  nonFiscalFrame: "===== THIS IS NOT A FISCAL INVOICE =====",
  nonFiscalNotice: "THIS IS NOT A FISCAL INVOICE",
  seller: ["TIN:", "Company:", "Place of sale:", "Address:", "Municipality:"],
  cashier: "Cashier:",
  buyer: "Buyer ID:",
  buyerCostCenter: "Buyer optional field:",
  posNumber: "POS number:",
  posTime: "POS time:",
  referenceNumber: "Ref. number:",
  referenceTime: "Ref. time:",
  items: "Items",
  itemHead: "Name    Price        Qty           Total",
  total: "Total amount:",
  totalRefund: "Total refund:",
  taxHead: "Label       Name       Rate          Tax",
  totalTax: "Total tax:",
  sdcTime: "SDC time:",
  sdcNumber: "SDC invoice no:",
  sdcCounter: "Invoice counter:",
  invoiceTypes: { Normal: "NORMAL", ProForma: "PROFORMA", Copy: "COPY", Training: "TRAINING", Advance: "ADVANCE" },
  transactionTypes: { Sale: "SALE", Refund: "REFUND" },
  paymentTypes: {
    Other: "Other non-cash payment",
    Cash: "Cash",
    Card: "Card",
    Check: "Check",
    WireTransfer: "Wire transfer",
    Voucher: "Voucher",
    MobileMoney: "Instant payment"
  },
  extensions: {
    type: { Normal: "N", ProForma: "P", Copy: "C", Training: "T", Advance: "A" },
    transaction: { Sale: "S", Refund: "R" }
  },
  success: "Success"
}

export const journalWords: Record<Language, JournalWords> = { "sr-Cyrl-RS": serbian, "en-US": english }

/** `ПП` or `NS`: what the receipt is, in two letters. */
export const counterExtension = (language: Language, invoiceType: InvoiceType, transactionType: TransactionType): string => {
  const { transaction, type } = journalWords[language].extensions
  return type[invoiceType] + transaction[transactionType]
}
