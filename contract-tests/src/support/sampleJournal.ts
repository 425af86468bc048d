import {
  type DocumentContent,
  formatDecimal,
  lineAmount,
  type PaymentType,
  roundToPara,
  type SignedTax,
  totalAmount
} from "@overa/domain"
import { BigDecimal } from "effect"

/** What a V-PFR adds to the document when it composes a journal. */
export interface SigningFacts {
  readonly header: ReadonlyArray<string>
  readonly taxes: ReadonlyArray<SignedTax>
  readonly number: string
  readonly counter: string
  readonly printedTime: string
  readonly referencePrintedTime: string
}

const width = 40
const notFiscal = "======== ОВО НИЈЕ ФИСКАЛНИ РАЧУН ======="

const paymentNames: Readonly<Record<PaymentType, string>> = {
  CARD: "Платна картица",
  WIRE_TRANSFER: "Пренос на рачун",
  INSTANT_PAYMENT: "Инстант плаћање",
  CASH: "Готовина",
  VOUCHER: "Ваучер",
  CHECK: "Чек",
  OTHER: "Друго безготовинско плаћање"
}

const typeNames = {
  NORMAL: "ПРОМЕТ",
  ADVANCE: "АВАНС",
  COPY: "КОПИЈА",
  PROFORMA: "ПРЕДРАЧУН",
  TRAINING: "ОБУКА"
} as const

const amount = (value: BigDecimal.BigDecimal): string => {
  const [whole = "", fraction = ""] = formatDecimal(roundToPara(value), 2).split(".")
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ".")},${fraction}`
}

const cut = (text: string): ReadonlyArray<string> => {
  const points = [...text]
  const lines: Array<string> = []
  for (let at = 0; at < points.length; at += width) lines.push(points.slice(at, at + width).join("").padEnd(width))
  return lines
}

const pair = (key: string, value: string): ReadonlyArray<string> =>
  [...key].length + 1 + [...value].length <= width
    ? [key + value.padStart(width - [...key].length)]
    : cut(`${key} ${value}`)

const centred = (text: string, filler: string): string => {
  const left = Math.floor((width - [...text].length) / 2)
  return (filler.repeat(Math.max(left, 0)) + text).padEnd(width, filler)
}

const itemLines = (content: DocumentContent): ReadonlyArray<string> =>
  content.items.flatMap((item) => {
    const sign = content.transactionType === "REFUND" ? "-" : ""
    const quantity = formatDecimal(item.quantity)
    const shown = quantity.includes(".") ? formatDecimal(item.quantity, 3).replace(".", ",") : quantity
    const name = item.unitOfMeasure === null ? item.name : `${item.name}/${item.unitOfMeasure}`
    const total = sign + amount(lineAmount(item))
    return [
      ...cut(`${name} (${item.taxLabels.join(", ")})`),
      amount(item.unitPrice).padStart(13) + shown.padStart(11) + total.padStart(16)
    ]
  })

const taxLine = (tax: SignedTax): string =>
  tax.label.padEnd(1) + tax.category.padStart(16) + `${formatDecimal(tax.rate, 2).replace(".", ",")}%`.padStart(9) +
  amount(tax.amount).padStart(14)

const headLines = (content: DocumentContent, facts: SigningFacts): ReadonlyArray<string> => [
  ...facts.header.map((line) => centred(line, " ")),
  ...pair("Касир:", content.cashier.displayName ?? content.cashier.id),
  ...(content.buyer?.id === undefined || content.buyer.id === null ? [] : pair("ИД купца:", content.buyer.id)),
  ...(content.buyer?.optionalField === undefined || content.buyer.optionalField === null
    ? []
    : pair("Опционо поље купца:", content.buyer.optionalField)),
  ...pair("ЕСИР број:", content.esirNumber),
  ...(content.reference === null
    ? []
    : [...pair("Реф. број:", content.reference.pfrNumber), ...pair("Реф. време:", facts.referencePrintedTime)])
]

/** A journal in the form of V-PFR §8.1 and §8.2, composed for samples; the simulator has its own. */
export const sampleJournal = (content: DocumentContent, facts: SigningFacts): string => {
  const fiscal = content.invoiceType === "NORMAL" || content.invoiceType === "ADVANCE"
  const refund = content.transactionType === "REFUND"
  const totalTax = BigDecimal.sumAll(facts.taxes.map((tax) => roundToPara(tax.amount)))
  const rule = "=".repeat(width)
  return [
    fiscal ? "============ ФИСКАЛНИ РАЧУН ============" : notFiscal,
    ...headLines(content, facts),
    centred(`${typeNames[content.invoiceType]} ${refund ? "РЕФУНДАЦИЈА" : "ПРОДАЈА"}`, "-"),
    "Артикли",
    rule,
    "Назив   Цена         Кол.         Укупно",
    ...itemLines(content),
    "-".repeat(width),
    ...pair(refund ? "Укупна рефундација:" : "Укупан износ:", amount(totalAmount(content.items))),
    ...content.payments.flatMap((payment) => pair(`${paymentNames[payment.type]}:`, amount(payment.amount))),
    rule,
    ...(fiscal ? [] : [centred("ОВО НИЈЕ ФИСКАЛНИ РАЧУН", " "), rule]),
    "Ознака       Име      Стопа        Порез",
    ...facts.taxes.map(taxLine),
    "-".repeat(width),
    ...pair("Укупан износ пореза:", amount(totalTax)),
    rule,
    ...pair("ПФР време:", facts.printedTime),
    ...pair("ПФР број рачуна:", facts.number),
    ...pair("Бројач рачуна:", facts.counter),
    rule,
    fiscal ? "======== КРАЈ ФИСКАЛНОГ РАЧУНА =========" : notFiscal
  ].map((line) => `${line}\r\n`).join("")
}
