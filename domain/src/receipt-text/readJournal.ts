import { BigDecimal, Result, Schema } from "effect"
import type { InvoiceType, TransactionType } from "../documents/InvoiceType.ts"
import type { PaymentType } from "../documents/LineItem.ts"
import {
  doubleRule, fiscalFrame, heads, invoiceTypeWord, keys, lineWidth, nonFiscalFrame, nonFiscalNotice, paymentWord, singleRule, transactionWord
} from "./textLines.ts"

/** A text that is no whole receipt in the words of Serbia's V-PFR: the line, counted from 1, and what is wrong with it. */
export class JournalUnreadable extends Schema.TaggedError<JournalUnreadable>()("JournalUnreadable", { line: Schema.Finite, reason: Schema.String }) {}

type Amount = BigDecimal.BigDecimal

export interface PrintedItem {
  /** With its unit, as the receipt names it. */
  readonly name: string
  readonly labels: ReadonlyArray<string>
  readonly unitPrice: Amount
  readonly quantity: Amount
  /** With a minus in a refund. */
  readonly amount: Amount
}

export interface PrintedTax {
  readonly label: string
  readonly category: string
  readonly rate: Amount
  /** A rate in dinars is one for each unit. */
  readonly unit: "%" | "RSD"
  readonly amount: Amount
}

/** Everything that a receipt prints. Texts stand as printed, times in local time as the receipt writes them. */
export interface PrintedReceipt {
  readonly isFiscal: boolean
  /** The seller's lines. Where each has its key, as in the sandbox of 2022, the values alone; a long value may have several lines. */
  readonly seller: ReadonlyArray<string>
  readonly cashier: string | null
  readonly buyer: string | null
  readonly buyerOptionalField: string | null
  readonly esirNumber: string | null
  readonly esirTime: string | null
  readonly referenceNumber: string | null
  readonly referenceTime: string | null
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
  readonly items: ReadonlyArray<PrintedItem>
  readonly total: Amount
  readonly payments: ReadonlyArray<{ readonly type: PaymentType; readonly amount: Amount }>
  /** An ESIR may add it below the payments; the V-PFR has no such line. */
  readonly change: Amount | null
  readonly taxes: ReadonlyArray<PrintedTax>
  readonly totalTax: Amount
  readonly pfrTime: string
  readonly invoiceNumber: string
  readonly counter: string
}

const sellerKeys = ["ПИБ:", "Предузеће:", "Место продаје:", "Адреса:", "Општина:"]
const changeKey = "Повраћај:"
const payments = new Map((Object.entries(paymentWord) as Array<[PaymentType, string]>).map(([type, word]) => [`${word}:`, type]))
const identificationKeys = [keys.cashier, keys.buyer, keys.buyerOptionalField, keys.esirNumber, keys.esirTime, keys.referenceNumber, keys.referenceTime]

const kindOfTypeLine: ReadonlyMap<string, Pick<PrintedReceipt, "invoiceType" | "transactionType">> = new Map(
  (Object.entries(invoiceTypeWord) as Array<[InvoiceType, string]>).flatMap(([invoiceType, type]) =>
    (Object.entries(transactionWord) as Array<[TransactionType, string]>).map(([transactionType, transaction]) =>
      [`${type} ${transaction}`, { invoiceType, transactionType }] as const
    )
  )
)
const kindOf = (line: string) => kindOfTypeLine.get(/^-{2,}([^-].*[^-])-{2,}$/.exec(line.trim())?.[1] ?? "")

const amountForm = /^(-?)(\d{1,3}(?:\.\d{3})+|\d+)(?:[,.](\d{2,3}))?$/

/** `1.234,50`; a signer of 2022 also wrote `0.00`. */
const amountOf = (text: string): Amount | null => {
  const [, sign, whole = "", fraction = ""] = amountForm.exec(text.trim()) ?? []
  return sign === undefined ? null : BigDecimal.make(BigInt(sign + whole.replaceAll(".", "") + fraction), fraction.length)
}

/** An item's name has at most 2 048 letters, a line forty, each of them escaped with at most six. A hostile text is read as far as this. */
const longestText = 4_096
const longestLine = 240

/** A line of a page shows the QR code, and what is behind it, in markup. */
const withoutMarkup = (line: string): string => line.startsWith(doubleRule) ? doubleRule : line.slice(0, longestLine).trimEnd()

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: "\"", "#39": "'" }
const unescaped = (text: string): string => text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? "")

/** With the blanks at its end that a copy of the text may have lost: whole lines of forty letters. */
const filledUp = (text: string): string => text + " ".repeat((lineWidth - [...text].length % lineWidth) % lineWidth)

const inShort = (text: string | undefined): string => text === undefined ? "the end" : text.length > 160 ? `${text.slice(0, 160)}…` : text

/** The lines with the place of the one that is read next. */
class Lines {
  readonly #lines: ReadonlyArray<string>
  #at = 0
  readonly isPage: boolean

  constructor(text: string, isPage: boolean) {
    this.#lines = text.trim().split(/\r?\n/).map(withoutMarkup)
    this.isPage = isPage
  }

  /** The next line without the blanks at its end; nothing behind the last one. */
  get next(): string | undefined {
    return this.#lines[this.#at]
  }

  take(): string {
    return this.#lines[this.#at++] ?? ""
  }

  text(text: string): string {
    return this.isPage ? unescaped(text).trim() : text.trim()
  }

  /** The number of the next line, counted from 1. */
  get number(): number {
    return this.#at + 1
  }

  failure(reason: string, line = this.number) {
    return Result.fail(new JournalUnreadable({ line, reason }))
  }

  /** Every line until one of another kind; cut lines are joined as they were before. */
  takeJoined(isNext: (line: string, before: string) => boolean): string {
    let joined = this.take()
    while (this.next !== undefined && joined.length <= longestText && !isNext(this.next, joined)) joined = filledUp(joined) + this.take()
    return joined
  }

  expect(line: string) {
    if (this.next?.trim() !== line.trim()) return this.failure(`"${line.trim()}" was expected, and it is "${inShort(this.next)}"`)
    this.take()
    return Result.succeed(line)
  }
}

const isRule = (line: string): boolean => line === doubleRule || line === singleRule

const keyOf = (line: string | undefined, known: ReadonlyArray<string>): string | undefined => known.find((key) => line?.startsWith(key))

/** A key's value. It goes on in the next line only where one blank stands behind the key: there it did not fit (V-PFR §8.1). */
const valueOf = (lines: Lines, key: string, ends: (line: string) => boolean): string =>
  lines.text(lines.takeJoined((line, before) => ends(line) || !/^ \S/.test(before.slice(key.length))).slice(key.length))

const expectValue = (lines: Lines, key: string, ends: (line: string) => boolean) =>
  keyOf(lines.next, [key]) === undefined ? lines.failure(`${key} was expected, and it is "${inShort(lines.next)}"`) : Result.succeed(valueOf(lines, key, ends))

const expectAmount = (lines: Lines, key: string, ends: (line: string) => boolean) => {
  const line = lines.number
  return Result.flatMap(expectValue(lines, key, ends), (text) => {
    const amount = amountOf(text)
    return amount === null ? lines.failure(`"${inShort(text)}" behind ${key} is no amount`, line) : Result.succeed(amount)
  })
}

const readSeller = (lines: Lines): ReadonlyArray<string> => {
  const seller: Array<string> = []
  const ends = (line: string) => keyOf(line, [...sellerKeys, ...identificationKeys]) !== undefined || kindOf(line) !== undefined
  while (lines.next !== undefined && keyOf(lines.next, identificationKeys) === undefined && kindOf(lines.next) === undefined) {
    const key = keyOf(lines.next, sellerKeys)
    seller.push(key === undefined ? lines.text(lines.take()) : valueOf(lines, key, ends))
  }
  return seller
}

const readIdentification = (lines: Lines): ReadonlyMap<string, string> => {
  const values = new Map<string, string>()
  const ends = (line: string) => keyOf(line, identificationKeys) !== undefined || kindOf(line) !== undefined
  for (let key = keyOf(lines.next, identificationKeys); key !== undefined; key = keyOf(lines.next, identificationKeys)) {
    values.set(key, valueOf(lines, key, ends))
  }
  return values
}

const itemAmounts = /^\s*(-?[\d.,]+)\s+([\d.,]+)\s+(-?[\d.,]+)$/
const nameAndLabels = /^([^]*) \(([^()]*)\)$/

const readItem = (lines: Lines) => {
  const line = lines.number
  const printed = lines.text(lines.takeJoined((line, before) => isRule(line) || (itemAmounts.test(line) && nameAndLabels.test(before.trimEnd()))))
  const [, name, labels] = nameAndLabels.exec(printed) ?? []
  const [unitPrice, quantity, amount] = (itemAmounts.exec(lines.next ?? "") ?? []).slice(1).map(amountOf)
  if (name === undefined || labels === undefined) return lines.failure(`"${inShort(printed)}" is no item with its labels`, line)
  if (!unitPrice || !quantity || !amount) return lines.failure(`"${inShort(lines.next)}" is no price, quantity and amount`)
  lines.take()
  return Result.succeed<PrintedItem>({ name, labels: labels.split(", "), unitPrice, quantity, amount })
}

const readItems = (lines: Lines) =>
  Result.gen(function*() {
    for (const head of [heads.items, doubleRule, heads.itemColumns]) yield* lines.expect(head)
    const items: Array<PrintedItem> = []
    while (lines.next !== singleRule) items.push(yield* readItem(lines))
    yield* lines.expect(singleRule)
    return items
  })

const readPayments = (lines: Lines) =>
  Result.gen(function*() {
    const known = [...payments.keys(), changeKey]
    const ends = (line: string) => isRule(line) || keyOf(line, known) !== undefined
    const paid: Array<PrintedReceipt["payments"][number]> = []
    let change: Amount | null = null
    while (lines.next !== doubleRule) {
      const key = keyOf(lines.next, known)
      if (key === undefined) return yield* lines.failure(`"${inShort(lines.next)}" is no payment`)
      const amount = yield* expectAmount(lines, key, ends)
      const type = payments.get(key)
      if (type === undefined) change = amount
      else paid.push({ type, amount })
    }
    yield* lines.expect(doubleRule)
    return { payments: paid, change }
  })

const taxForm = /^(\S+)\s+(\S|\S.*\S)\s+([\d.,]+)(%|RSD)\s+(-?[\d.,]+)$/

const readTaxes = (lines: Lines) =>
  Result.gen(function*() {
    yield* lines.expect(heads.taxColumns)
    const taxes: Array<PrintedTax> = []
    while (lines.next !== singleRule) {
      const [, label = "", category = "", rateText = "", unit, amountText = ""] = taxForm.exec(lines.next ?? "") ?? []
      const [rate, amount] = [amountOf(rateText), amountOf(amountText)]
      if (rate === null || amount === null) return yield* lines.failure(`"${inShort(lines.next)}" is no tax`)
      taxes.push({ label, category, rate, unit: unit === "RSD" ? "RSD" : "%", amount })
      lines.take()
    }
    yield* lines.expect(singleRule)
    const totalTax = yield* expectAmount(lines, keys.totalTax, isRule)
    yield* lines.expect(doubleRule)
    return { taxes, totalTax }
  })

const readClosing = (lines: Lines, last: string) =>
  Result.gen(function*() {
    const ends = (line: string) => isRule(line) || keyOf(line, [keys.pfrNumber, keys.counter]) !== undefined
    const pfrTime = yield* expectValue(lines, keys.pfrTime, ends)
    const invoiceNumber = yield* expectValue(lines, keys.pfrNumber, ends)
    const counter = yield* expectValue(lines, keys.counter, ends)
    yield* lines.expect(doubleRule)
    while (lines.next === "") lines.take()
    yield* lines.expect(last)
    return lines.next === undefined ? { pfrTime, invoiceNumber, counter } : yield* lines.failure(`"${inShort(lines.next)}" stands behind the last line`)
  })

/**
 * Reads the text of a receipt, every line of it: the opposite of `writeJournal`, also for receipts that other ESIRs have had signed. Nothing is guessed: a line that is
 * not in its place makes the text unreadable, and the line is named. Source: V-PFR §8.1–8.5.
 *
 * @param from `PAGE` for a text of the tax authority's page, which escapes `&` to `&amp;` before it cuts lines.
 */
export const readJournal = (text: string, from: "ANSWER" | "PAGE" = "ANSWER"): Result.Result<PrintedReceipt, JournalUnreadable> =>
  Result.gen(function*() {
    const lines = new Lines(text, from === "PAGE")
    const isFiscal = lines.next === fiscalFrame.first
    const frame = isFiscal ? fiscalFrame : nonFiscalFrame
    if (lines.next !== frame.first) return yield* lines.failure(`"${inShort(lines.next)}" begins no receipt of Serbia`)
    lines.take()
    const seller = readSeller(lines)
    const identification = readIdentification(lines)
    const valueAt = (key: string) => identification.get(key) ?? null
    const kind = kindOf(lines.next ?? "")
    if (kind === undefined) return yield* lines.failure(`"${inShort(lines.next)}" names no kind of receipt`)
    lines.take()
    const items = yield* readItems(lines)
    const total = yield* expectAmount(lines, kind.transactionType === "REFUND" ? keys.totalRefund : keys.total, (line) => isRule(line) || keyOf(line, [...payments.keys(), changeKey]) !== undefined)
    const paid = yield* readPayments(lines)
    if (!isFiscal) for (const line of [nonFiscalNotice, doubleRule]) yield* lines.expect(line)
    return {
      isFiscal, seller,
      cashier: valueAt(keys.cashier), buyer: valueAt(keys.buyer), buyerOptionalField: valueAt(keys.buyerOptionalField),
      esirNumber: valueAt(keys.esirNumber), esirTime: valueAt(keys.esirTime),
      referenceNumber: valueAt(keys.referenceNumber), referenceTime: valueAt(keys.referenceTime),
      ...kind, items, total, ...paid,
      ...(yield* readTaxes(lines)),
      ...(yield* readClosing(lines, frame.last))
    }
  })
