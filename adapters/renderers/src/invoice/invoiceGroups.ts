import { daysOfMonth, type Invoice, invoiceDays, printedNumber } from "@overa/domain"
import { serbianAmount } from "../layout/serbianText.ts"
import { paragraph, wideTable } from "../pdf/belowGroups.ts"
import type { Group, Row, Run } from "../pdf/flow.ts"
import { baseline, space } from "../pdf/flow.ts"
import type { Paper, Type } from "../pdf/Paper.ts"
import { receiptFont } from "../pdf/receiptFonts.ts"
import { wrapText } from "../pdf/wrapText.ts"
import { lineName, lineQuantity, printedDay, printedMonth, printedRate, type Say, usageSentence } from "./invoiceWords.ts"

const titleType: Type = { size: 16, line: 24 }

const lines = (paper: Paper, texts: ReadonlyArray<string | null>): ReadonlyArray<Row> =>
  texts.flatMap((text) => text === null || text === "" ? [] : paragraph(paper, text, "sans", paper.own.type))

const party = (paper: Paper, heading: string, name: string, texts: ReadonlyArray<string | null>): ReadonlyArray<Group> => [
  { tag: "H2", rows: paragraph(paper, heading, "sans", paper.own.small), keepWithNext: true },
  { tag: "P", rows: [...paragraph(paper, name, "sansBold", paper.own.heading), ...lines(paper, texts)] }
]

const placeOf = (address: string | null, city: string | null): string => [address, city].filter((part) => part !== null && part !== "").join(", ")

/** Names at the left with their values beside them, one row each. */
const factRows = (paper: Paper, facts: ReadonlyArray<readonly [name: string, value: string]>): Group => {
  const { type, width, x } = paper.own
  const column = width * 0.3
  return {
    tag: "Table",
    rows: facts.map(([name, value]): Row => {
      const values = wrapText(value, receiptFont("sansBold"), type.size, width - column)
      const runs: ReadonlyArray<Run> = [
        { font: "sans", size: type.size, x, dy: type.line * baseline, text: name, cell: 0 },
        ...values.map((text, index): Run => ({ font: "sansBold", size: type.size, x: x + column, dy: type.line * (index + baseline), text, cell: 1 }))
      ]
      return { height: type.line * values.length + 2, runs }
    })
  }
}

/** Sums at the right edge; the last one is bold. */
const sums = (paper: Paper, rows: ReadonlyArray<readonly [name: string, value: string]>): Group => {
  const { heading, type, width, x } = paper.own
  return {
    tag: "Table",
    rows: rows.map(([name, value], index): Row => {
      const isLast = index === rows.length - 1
      const [font, size, line] = isLast ? ["sansBold", heading.size * 1.2, heading.line * 1.3] as const : ["sans", type.size, type.line] as const
      const dy = line * baseline
      const end = x + width - receiptFont(font).width(value, size)
      return {
        height: line,
        stays: true,
        runs: [{ font, size, x: x + width * 0.5, dy, text: name, cell: 0 }, { font, size, x: end, dy, text: value, cell: 1 }]
      }
    })
  }
}

const seller = (paper: Paper, say: Say, { content: { issuer } }: Invoice): ReadonlyArray<Group> =>
  party(paper, say("Издавалац", "Issuer"), issuer.name, [
    placeOf(issuer.address, issuer.city),
    `${say("ПИБ", "Tax id")}: ${issuer.taxIdentifier} · ${say("матични број", "registration number")}: ${issuer.registrationNumber}`,
    `${say("Рачун у банци", "Bank account")}: ${issuer.bankAccount}`,
    issuer.email
  ])

const customer = (paper: Paper, say: Say, { content: { buyer } }: Invoice): ReadonlyArray<Group> =>
  party(paper, say("Купац", "Buyer"), buyer.name, [
    placeOf(buyer.address, buyer.city),
    buyer.taxIdentifier === null ? null : `${say("ПИБ", "Tax id")}: ${buyer.taxIdentifier}`,
    buyer.organizationName === buyer.name ? null : `${say("Организација", "Organization")}: ${buyer.organizationName}`
  ])

const dates = (paper: Paper, say: Say, invoice: Invoice): Group => {
  const { dueOn, issuedOn } = invoiceDays(invoice)
  const { month } = invoice.content
  return factRows(paper, [
    [say("Датум издавања", "Date of issue"), printedDay(issuedOn)],
    [say("Датум промета", "Date of supply"), printedDay(`${month}-${daysOfMonth(month).length}`)],
    [say("За месец", "For the month"), printedMonth(month)],
    [say("Рок за плаћање", "To be paid by"), printedDay(dueOn)],
    [say("Позив на број", "Payment reference"), printedNumber(invoice.id)]
  ])
}

const linesTable = (paper: Paper, say: Say, { content }: Invoice): Group =>
  wideTable(paper, {
    kind: "table",
    title: "",
    columns: [
      { title: say("Опис", "Description"), align: "left", share: 0.43 },
      { title: say("Количина", "Quantity"), align: "right", share: 0.19 },
      { title: say("Цена без ПДВ-а", "Price without VAT"), align: "right", share: 0.19 },
      { title: say("Износ", "Amount"), align: "right", share: 0.19 }
    ],
    rows: content.lines.map((line) => [lineName(say, line), lineQuantity(say, line), serbianAmount(line.price), serbianAmount(line.amount)])
  })

/** The content of an invoice, in reading order. */
export const invoiceGroups = (paper: Paper, say: Say, invoice: Invoice): ReadonlyArray<Group> => {
  const { content } = invoice
  const closing = lines(paper, [usageSentence(say, content), content.issuer.note])
  return [
    { tag: "H2", rows: paragraph(paper, `${say("Фактура", "Invoice")} ${printedNumber(invoice.id)}`, "sansBold", titleType), keepWithNext: true },
    space(paper.gap),
    ...seller(paper, say, invoice),
    space(paper.gap),
    ...customer(paper, say, invoice),
    space(paper.gap),
    dates(paper, say, invoice),
    space(paper.gap * 1.5),
    linesTable(paper, say, invoice),
    space(paper.gap),
    sums(paper, [
      [say("Основица", "Net"), `${serbianAmount(content.net)} RSD`],
      [`${say("ПДВ", "VAT")} ${printedRate(content.vatRate)} %`, `${serbianAmount(content.vat)} RSD`],
      [say("За уплату", "To be paid"), `${serbianAmount(content.total)} RSD`]
    ]),
    space(paper.gap * 2),
    { tag: "P", rows: closing }
  ]
}
