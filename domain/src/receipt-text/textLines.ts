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

/** First and last line of a preview, of whatever type: no signed text has it (docs/adr/0212). */
const previewLine = "===== ПРЕГЛЕД, НИЈЕ ФИСКАЛНИ РАЧУН ====="
export const previewFrame = { first: previewLine, last: previewLine } as const

export const nonFiscalNotice = "ОВО НИЈЕ ФИСКАЛНИ РАЧУН"

/** What a preview prints for PFR time, number and counter. */
export const notSigned = "НИЈЕ ПОТПИСАНО"

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

/** Columns of the paper (V-PFR §8.1). */
const width = 40

/** Code points, not UTF-16 units: a letter takes one column however it is encoded. */
const lettersOf = (text: string): ReadonlyArray<string> => [...text]
const lengthOf = (text: string): number => lettersOf(text).length
const blanks = (count: number): string => " ".repeat(Math.max(0, count))

/** A text padded with blanks to the full line. */
export const filled = (text: string): string => text + blanks(width - lengthOf(text))

export const doubleRule = "=".repeat(width)
export const singleRule = "-".repeat(width)

/** A text centred in a line of `sign`; where the remainder is odd, the right side gets one more (V-PFR §8.1). */
export const inMiddle = (text: string, sign = " "): string => {
  const free = Math.max(0, width - lengthOf(text))
  const left = Math.floor(free / 2)
  return sign.repeat(left) + text + sign.repeat(free - left)
}

/** Split after every fortieth letter, the last line padded (V-PFR §8.1, items and numbers). */
export const cutHard = (text: string): ReadonlyArray<string> => {
  const letters = lettersOf(text)
  return Array.from({ length: Math.ceil(letters.length / width) }, (_, at) => filled(letters.slice(at * width, (at + 1) * width).join("")))
}

/**
 * Split at blanks, and inside a word only where it is longer than a line (V-PFR §8.1, header). A text that fits one line is unchanged, its blanks
 * included.
 */
export const cutAtBlanks = (text: string): ReadonlyArray<string> => {
  if (lengthOf(text) <= width) return [text]
  const pieces = text.split(" ").flatMap((word) => cutHard(word).map((line) => line.trimEnd()))
  return pieces.reduce<ReadonlyArray<string>>((lines, piece) => {
    const last = lines.at(-1)
    if (last === undefined) return [piece]
    const joined = `${last} ${piece}`
    return lengthOf(joined) <= width ? [...lines.slice(0, -1), joined] : [...lines, piece]
  }, [])
}

/** The key at the left edge, the value at the right one; split at the line's end where both and a blank do not fit (V-PFR §8.1). */
export const keyAndValue = (key: string, value: string): ReadonlyArray<string> => {
  const gap = width - lengthOf(key) - lengthOf(value)
  return cutHard(key + blanks(Math.max(1, gap)) + value)
}

/** Texts with the column each ends in, counted from 1. A text too long for its place moves to the right, one blank after its neighbour. */
export const inColumns = (texts: ReadonlyArray<readonly [text: string, lastColumn: number]>): string => {
  let line = ""
  for (const [text, lastColumn] of texts) {
    const gap = lastColumn - lengthOf(line) - lengthOf(text)
    line += blanks(line === "" ? gap : Math.max(1, gap)) + text
  }
  return filled(line)
}

export const lineWidth = width
