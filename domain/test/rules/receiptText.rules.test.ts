import { BigDecimal, DateTime, Result } from "effect"
import * as fc from "fast-check"
import { readFileSync } from "node:fs"
import type { DocumentContent } from "../../src/documents/DocumentContent.ts"
import { InvoiceType, TransactionType } from "../../src/documents/InvoiceType.ts"
import { PaymentType } from "../../src/documents/LineItem.ts"
import { signedItemName } from "../../src/documents/signedItemName.ts"
import { formatDecimal } from "../../src/money/decimals.ts"
import { totalAmount } from "../../src/money/rounding.ts"
import { previewReceipt, type SellerOnReceipt } from "../../src/receipt-text/previewReceipt.ts"
import { readJournal } from "../../src/receipt-text/readJournal.ts"
import { type JournalFacts, type SigningFacts, writeJournal } from "../../src/receipt-text/writeJournal.ts"
import { printedTotalTax, taxByLabel } from "../../src/tax/taxByLabel.ts"
import { decimal, lineOf, saleLine } from "../arbitraries/SaleLine.ts"
import { groupOf, productionRates, sandboxRates } from "../arbitraries/TaxRates.ts"
import { rule } from "./ruleBook.ts"

const linesOf = (text: string): ReadonlyArray<string> => text.split("\r\n").slice(0, -1)
const lengthOf = (line: string): number => [...line].length

/** Receipts as the authority's software printed them (V-PFR §8.8). */
const sample = (name: string): ReadonlyArray<string> =>
  readFileSync(new URL(`../../../contract-tests/src/support/journals/${name}.txt`, import.meta.url), "utf8").trimEnd().split("\n").map((line) => line.replace("\r", ""))

const content = (fields: Partial<JournalFacts["content"]>): JournalFacts["content"] => ({
  invoiceType: "NORMAL",
  transactionType: "SALE",
  cashier: { id: "web", displayName: null },
  buyer: null,
  items: [lineOf("100", "1")],
  payments: [{ type: "CARD", amount: decimal("100") }],
  reference: null,
  dateAndTimeOfIssue: null,
  esirNumber: "",
  ...fields
})

const supermarket: JournalFacts = {
  environment: "production",
  // With the blanks that its certificate must contain: the printed address is left of the middle.
  seller: {
    tin: "101670560",
    businessName: "Mercator-S doo",
    locationName: "1108934-Roda Megamarket 345",
    address: "ВИЗАНТИЈСКИ БУЛЕВАР 1  ",
    district: "Ниш-Медијана"
  },
  content: content({
    cashier: { id: "1011902", displayName: null },
    esirNumber: "431/2.0.0.2",
    items: [
      lineOf("119.99", "1.066", { name: "JABUKA ZLATNI DELISES             KG", unitOfMeasure: null, taxLabels: ["Е"] }),
      lineOf("89.99", "2.010", { name: "POMORANDZA MREZICA 2/1            KG", unitOfMeasure: null, taxLabels: ["Е"] }),
      lineOf("179.99", "1.172", { name: "MANDARINA                         KG", unitOfMeasure: null, taxLabels: ["Е"] }),
      lineOf("12.99", "1", { name: "KESA VJZ 7KG 51 MIKRON           KOM", unitOfMeasure: null }),
      lineOf("199.99", "1.482", { name: "BANANA                            KG", unitOfMeasure: null, taxLabels: ["Е"] })
    ],
    payments: [{ type: "CASH", amount: decimal("1000") }]
  }),
  taxes: [],
  signed: { sdcTime: "2022-12-31T15:51:57.123+01:00", invoiceNumber: "746DUV64-746DUV64-16898", invoiceCounter: "16887/16898ПП" }
}

const helmet: JournalFacts = {
  environment: "sandbox",
  seller: { tin: "RS111911206", businessName: "NAVIPARTNER", locationName: "NAVIPARTNER", address: "ХЕРОЈА МИЛАНА ТЕПИЋА 13", district: "Београд" },
  content: content({
    cashier: { id: "123456789", displayName: null },
    buyer: { id: "RS34564565", optionalField: "567546" } as DocumentContent["buyer"],
    esirNumber: "POS2017/998",
    // Printed as it was written, so this is Belgrade's 8:55.
    dateAndTimeOfIssue: DateTime.toUtc(DateTime.makeUnsafe("2020-12-08T07:55:23.286Z")),
    items: [lineOf("34.23", "2", { name: "Sport-100 Helmet, Blue", unitOfMeasure: null, taxLabels: ["A"] })],
    payments: [{ type: "CASH", amount: decimal("68.46") }]
  }),
  taxes: [],
  signed: { sdcTime: "2023-06-06T13:21:15.504282+02:00", invoiceNumber: "YJLQTEQR-YJLQTEQR-11389", invoiceCounter: "8652/11389ПП" }
}

/** With the taxes as a preview orders them: the signer printed Е, the label of the first item, before Ђ. */
const asPrinted = (facts: JournalFacts, taxRates: typeof productionRates): JournalFacts => ({
  ...facts,
  taxes: previewReceipt({ ...facts, taxRates }).taxes ?? []
})

/** The older form of the header, at the left edge. */
const headerAtLeft = (lines: ReadonlyArray<string>): ReadonlyArray<string> => lines.map((line, at) => at >= 1 && at <= 5 ? line.trim() : line)

const same = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean => one.length === other.length && one.every((line, at) => line === other[at])

rule("RECEIPT-TEXT-1", {
  says: "The text of a receipt is written as the tax authority's software writes it.",
  source: "V-PFR §8.1, §8.2, §8.8"
}, ({ holdsForEvery }) => {
  holdsForEvery("known receipts, to the character", [
    { facts: supermarket, rates: productionRates, known: "production-2022", header: (lines: ReadonlyArray<string>) => lines },
    { facts: helmet, rates: sandboxRates, known: "sandbox-2023", header: headerAtLeft }
  ], ({ facts, header, known, rates }) => same(header(linesOf(writeJournal(asPrinted(facts, rates)))), sample(known)))
  holdsForEvery("times lose the leading zero of the hour and nothing else", [["2026-08-29T00:05:09+02:00", "29.08.2026. 0:05:09"], ["2026-12-01T18:00:00Z", "01.12.2026. 18:00:00"]],
    ([sdcTime = "", printed = ""]) => writeJournal({ ...helmet, signed: { sdcTime, invoiceNumber: "A", invoiceCounter: "1/1ПП" } }).includes(`ПФР време:${printed.padStart(30)}\r\n`))
  holdsForEvery("a number that does not fit behind its key is carried over to the next line", ["9VMEKMSN-DBV8GPO0-1599033"],
    (invoiceNumber) => writeJournal({ ...helmet, signed: { sdcTime: "2026-08-29T00:05:09+02:00", invoiceNumber, invoiceCounter: "1/1ПП" } })
      .includes(`ПФР број рачуна: 9VMEKMSN-DBV8GPO0-15990\r\n${"33".padEnd(40)}\r\n`))
})

const text = fc.string({ maxLength: 60, unit: fc.constantFrom("а", "Ж", "š", "x", " ", "7", "🙂", "-") })
const seller: fc.Arbitrary<SellerOnReceipt> = fc.record({ tin: fc.stringMatching(/^(RS)?\d{9}$/), businessName: text, locationName: text, address: text, district: text })
const contents: fc.Arbitrary<JournalFacts["content"]> = fc.record({
  invoiceType: fc.constantFrom(...InvoiceType.literals),
  transactionType: fc.constantFrom(...TransactionType.literals),
  items: fc.array(saleLine, { minLength: 1, maxLength: 4 }),
  payments: fc.array(fc.record({ type: fc.constantFrom(...PaymentType.literals), amount: fc.integer({ min: 0, max: 10 ** 9 }).map((paras) => BigDecimal.make(BigInt(paras), 2)) }), { minLength: 1, maxLength: 3 }),
  cashier: fc.stringMatching(/^[a-zA-Zа-шА-Ш ]{1,50}$/)
}).map(({ cashier, ...fields }) => content({ ...fields, cashier: { id: cashier, displayName: null } }))
const signed: fc.Arbitrary<SigningFacts> = fc.record({
  sdcTime: fc.constantFrom("2026-08-29T09:05:09.1234567+02:00", "2026-01-29T19:05:09+01:00"),
  invoiceNumber: fc.integer({ min: 1, max: 4_294_967_295 }).map((counter) => `ABCD1234-EFGH5678-${counter}`),
  invoiceCounter: fc.integer({ min: 1, max: 4_294_967_295 }).map((counter) => `${counter}/${counter}ПП`)
})
const allRates = groupOf([...productionRates.rates, ...sandboxRates.rates])

const notice = "        ОВО НИЈЕ ФИСКАЛНИ РАЧУН         "
const previewLine = "===== ПРЕГЛЕД, НИЈЕ ФИСКАЛНИ РАЧУН ====="

/** The lines within the frame, without the notice and its rule; those of PFR time, number and counter apart. */
const partsOf = (lines: ReadonlyArray<string>) => {
  const from = lines.findIndex((line) => line.startsWith("ПФР време:"))
  const to = lines.findLastIndex((line) => line === "=".repeat(40))
  const noticeAt = lines.indexOf(notice)
  const body = lines.slice(1, from)
  return {
    frame: [lines[0] ?? "", ...lines.slice(to + 1)],
    notices: lines.filter((line) => line === notice).length,
    body: noticeAt === -1 ? body : body.toSpliced(noticeAt - 1, 2),
    signing: lines.slice(from, to)
  }
}

rule("RECEIPT-TEXT-2", {
  says: "A preview says in its frame, in its middle and where a receipt is signed that it is none; everything else is as it will be signed.",
  source: "Decisions §14, Dry run"
}, ({ holds }) => {
  holds("whatever the document, the seller and the receipt's facts", { seller, said: contents, facts: signed }, ({ facts, said, seller: printed }) => {
    const document = { environment: "production", seller: printed, content: said } as const
    const { journalPreview, taxes } = previewReceipt({ ...document, taxRates: allRates })
    if (taxes === null) return false
    const preview = partsOf(linesOf(journalPreview ?? ""))
    const receipt = partsOf(linesOf(writeJournal({ ...document, taxes, signed: facts })))
    return preview.body.length > 0 && same(preview.body, receipt.body) && same(preview.frame, [previewLine, previewLine]) && preview.notices === 1 &&
      same(preview.signing, ["ПФР време:                НИЈЕ ПОТПИСАНО", "ПФР број рачуна:          НИЈЕ ПОТПИСАНО", "Бројач рачуна:            НИЈЕ ПОТПИСАНО"])
  })
  holds("no signed text has anything of a preview's marks", { seller, said: contents, facts: signed }, ({ facts, said, seller: printed }) => {
    const text = writeJournal({ environment: "production", seller: printed, content: said, taxes: taxByLabel(said.items, allRates), signed: facts })
    return !text.includes("ПРЕГЛЕД") && !text.includes("НИЈЕ ПОТПИСАНО")
  })
  holds("a preview is not read as a receipt", { seller, said: contents }, ({ said, seller: printed }) =>
    Result.isFailure(readJournal(previewReceipt({ environment: "production", seller: printed, content: said, taxRates: allRates }).journalPreview ?? "")))
  holds("every line has forty columns, but for one heading", { seller, said: contents, facts: signed }, ({ facts, said, seller: printed }) =>
    linesOf(writeJournal({ environment: "production", seller: printed, content: said, taxes: taxByLabel(said.items, allRates), signed: facts }))
      .every((line) => line === "Артикли" || lengthOf(line) === 40))
  holds("without rates there are neither taxes nor text, without the seller no text", { seller, said: contents }, ({ said, seller: printed }) => {
    const noRates = previewReceipt({ environment: "sandbox", content: said, seller: printed, taxRates: null })
    const noSeller = previewReceipt({ environment: "sandbox", content: said, seller: null, taxRates: allRates })
    return noRates.taxes === null && noRates.journalPreview === null && noSeller.taxes !== null && noSeller.journalPreview === null
  })
})

/** A text as a reader of columns sees it: blanks at its ends are the paper's. */
const trimmed = (text: string): string => text.trim()

rule("RECEIPT-TEXT-4", {
  says: "What is written on a receipt is read from it, to the para and the letter.",
  source: "V-PFR §8.1, §8.2"
}, ({ holds }) => {
  holds("whatever the document, the seller and the receipt's facts", { seller, said: contents, facts: signed }, ({ facts, said, seller: printed }) => {
    const taxes = taxByLabel(said.items, allRates)
    const read = Result.getOrNull(readJournal(writeJournal({ environment: "production", seller: printed, content: said, taxes, signed: facts })))
    const amountsOf = (amounts: ReadonlyArray<BigDecimal.BigDecimal>) => amounts.map((amount) => formatDecimal(amount, 3)).join()
    return read !== null && read.invoiceType === said.invoiceType && read.transactionType === said.transactionType &&
      read.seller[0] === printed.tin && read.cashier === trimmed(said.cashier.id) &&
      same(read.items.map(({ name }) => name), said.items.map((item) => trimmed(signedItemName(item, "production")))) &&
      amountsOf(read.items.map(({ quantity }) => quantity)) === amountsOf(said.items.map(({ quantity }) => quantity)) &&
      amountsOf(read.payments.map(({ amount }) => amount)) === amountsOf(said.payments.map(({ amount }) => amount)) &&
      same(read.payments.map(({ type }) => type), said.payments.map(({ type }) => type)) &&
      amountsOf([read.total]) === amountsOf([totalAmount(said.items)]) && amountsOf([read.totalTax]) === amountsOf([printedTotalTax(taxes)]) &&
      read.invoiceNumber === facts.invoiceNumber && read.counter === facts.invoiceCounter
  })
})

const documentReference = {
  source: "SVC",
  fiscalDocumentId: null,
  pfrNumber: "ZRA8K2QW-ZRA8K2QW-1040",
  pfrTime: "2026-03-13T18:41:09.1234567+01:00",
  invoiceType: "NORMAL",
  transactionType: "SALE"
} as DocumentContent["reference"]

/** A refund of two lines: one is taxed in percent, the other in dinars per unit. */
const refund: JournalFacts = {
  ...helmet,
  content: content({
    transactionType: "REFUND",
    cashier: { id: "Милица П.", displayName: null },
    buyer: { id: "20:008765432", optionalField: "" } as DocumentContent["buyer"],
    items: [lineOf("1299999.99", "0.75", { name: "Кафа", unitOfMeasure: "кг", taxLabels: ["Ђ", "P"] }), lineOf("890.5", "12000", { name: "Čarape" })],
    payments: [{ type: "CASH", amount: decimal("11660999.99") }, { type: "OTHER", amount: decimal("0") }],
    reference: documentReference,
    esirNumber: "1123/1.0"
  }),
  taxes: [
    { label: "Ђ", category: "О-ПДВ", categoryType: 0, rate: decimal("20"), amount: decimal("1943499.8725") },
    { label: "P", category: "PBL", categoryType: 2, rate: decimal("0.5"), amount: decimal("0.375") },
    { label: "T", category: "TOTL", categoryType: 1, rate: decimal("2"), amount: decimal("0.3749") }
  ]
}

const behindHeader = (facts: JournalFacts): ReadonlyArray<string> => linesOf(writeJournal(facts)).slice(6, -5)

rule("RECEIPT-TEXT-3", {
  says: "The lines stand in the prescribed order, the optional ones only where the document has them; a refund has a minus before the amount of each " +
    "line and nowhere else; thousands are parted by points, a whole quantity has no decimals and any other three.",
  source: "V-PFR §8.1, §8.2, §8.4"
}, ({ holds, holdsForEvery }) => {
  holdsForEvery("a refund, from its cashier to its taxes", [{
    facts: refund,
    known: [
      "Касир:                         Милица П.",
      "ИД купца:                   20:008765432",
      "ЕСИР број:                      1123/1.0",
      "Реф. број:        ZRA8K2QW-ZRA8K2QW-1040",
      "Реф. време:         13.03.2026. 18:41:09",
      "-----------ПРОМЕТ РЕФУНДАЦИЈА-----------",
      "Артикли",
      "========================================",
      "Назив   Цена         Кол.         Укупно",
      "Кафа/кг (Ђ, P)                          ",
      " 1.299.999,99      0,750     -974.999,99",
      "Čarape/kom (Ђ)                          ",
      "       890,50     12.000  -10.686.000,00",
      "----------------------------------------",
      "Укупна рефундација:        11.660.999,99",
      "Готовина:                  11.660.999,99",
      "Друго безготовинско плаћање:        0,00",
      "========================================",
      "Ознака       Име      Стопа        Порез",
      "Ђ           О-ПДВ   20,00%  1.943.499,87",
      "P             PBL  0,50RSD          0,38",
      "T            TOTL    2,00%          0,37",
      "----------------------------------------",
      "Укупан износ пореза:        1.943.500,62",
      "========================================"
    ]
  }], ({ facts, known }) => same(behindHeader(facts), known))
  const kinds = [
    { invoiceType: "NORMAL", transactionType: "SALE", line: "-------------ПРОМЕТ ПРОДАЈА-------------", isFiscal: true },
    { invoiceType: "ADVANCE", transactionType: "SALE", line: "-------------АВАНС ПРОДАЈА--------------", isFiscal: true },
    { invoiceType: "ADVANCE", transactionType: "REFUND", line: "-----------АВАНС РЕФУНДАЦИЈА------------", isFiscal: true },
    { invoiceType: "COPY", transactionType: "REFUND", line: "-----------КОПИЈА РЕФУНДАЦИЈА-----------", isFiscal: false },
    { invoiceType: "PROFORMA", transactionType: "SALE", line: "-----------ПРЕДРАЧУН ПРОДАЈА------------", isFiscal: false },
    { invoiceType: "TRAINING", transactionType: "SALE", line: "-------------ОБУКА ПРОДАЈА--------------", isFiscal: false }
  ] as const
  holdsForEvery("what is no fiscal receipt says so in its first and last line and between payments and taxes", kinds, ({ isFiscal, line, ...kind }) => {
    const lines = linesOf(writeJournal({ ...refund, content: { ...refund.content, ...kind } }))
    const notices = lines.flatMap((text, at) => text.includes("ОВО НИЈЕ ФИСКАЛНИ РАЧУН") ? [at] : [])
    const taxHead = lines.indexOf("Ознака       Име      Стопа        Порез")
    return lines.includes(line) && (isFiscal
      ? lines[0] === "============ ФИСКАЛНИ РАЧУН ============" && lines.at(-1) === "======== КРАЈ ФИСКАЛНОГ РАЧУНА =========" && notices.length === 0
      : lines[taxHead - 2] === "        ОВО НИЈЕ ФИСКАЛНИ РАЧУН         " && lines[taxHead - 1] === "=".repeat(40) && lines[taxHead - 3] === "=".repeat(40) &&
        lines.at(-1) === lines[0] && notices.join() === `0,${taxHead - 2},${lines.length - 1}`)
  })
  holdsForEvery("each payment has its name", [...PaymentType.literals], (type) => {
    const names = { CASH: "Готовина", CARD: "Платна картица", CHECK: "Чек", WIRE_TRANSFER: "Пренос на рачун", VOUCHER: "Ваучер", INSTANT_PAYMENT: "Инстант плаћање", OTHER: "Друго безготовинско плаћање" }
    const line = linesOf(writeJournal({ ...helmet, content: content({ payments: [{ type, amount: decimal("1") }] }) }))[15] ?? ""
    return line.startsWith(`${names[type]}:`) && line.endsWith(" 1,00")
  })
  holds("a long text of the seller is cut between words, a longer word inside it, and no letter of it is lost", { seller }, ({ seller: printed }) => {
    const header = linesOf(writeJournal({ ...helmet, seller: printed, content: content({}) })).slice(1)
    const lines = header.slice(0, header.findIndex((line) => line.startsWith("Касир:")))
    const words = (texts: ReadonlyArray<string>) => texts.join("").replaceAll(" ", "")
    return words(lines) === words([printed.tin, printed.businessName, printed.locationName, printed.address, printed.district]) &&
      lines.every((line) => lengthOf(line) === 40)
  })
  holdsForEvery("where the words fit, they stand together in the middle", [
    { name: "Књижара и галантерија Зора са веома дугим именом", lines: ["  Књижара и галантерија Зора са веома   ", "              дугим именом              "] },
    { name: `${"а".repeat(19)} ${"б".repeat(20)}`, lines: [`${"а".repeat(19)} ${"б".repeat(20)}`] },
    { name: `${"а".repeat(20)} ${"б".repeat(19)}  в`, lines: [`${"а".repeat(20)} ${"б".repeat(19)}`, "                   в                    "] },
    { name: `${"а".repeat(20)} ${"б".repeat(20)}`, lines: ["          аааааааааааааааааааа          ", "          бббббббббббббббббббб          "] },
    { name: `${"а".repeat(19)}  ${"б".repeat(19)}`, lines: [`${"а".repeat(19)}  ${"б".repeat(19)}`] },
    { name: `${"а".repeat(30)} ${"б".repeat(30)} ${"в".repeat(30)} г`, lines: [`     ${"а".repeat(30)}     `, `     ${"б".repeat(30)}     `, `    ${"в".repeat(30)} г    `] },
    { name: `${"а".repeat(41)} б`, lines: ["а".repeat(40), "                  а б                   "] }
  ], ({ lines, name }) => same(linesOf(writeJournal({ ...helmet, seller: { ...helmet.seller, businessName: name } })).slice(2, 2 + lines.length), lines))
  holdsForEvery("an amount too long for its column moves the next ones to the right, a blank apart", [
    { price: "999999999999.99", quantity: "0.001", line: "999.999.999.999,99 0,001 1.000.000.000,00" },
    { price: "0.01", quantity: "9999999.999", line: "         0,01 9.999.999,999   100.000,00" }
  ], ({ line, price, quantity }) => linesOf(writeJournal({ ...helmet, content: content({ items: [lineOf(price, quantity)] }) }))[12] === line.padEnd(40))
})
