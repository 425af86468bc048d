import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { belgradeCivilTime, readWrittenTime } from "../src/belgradeTime.ts"
import { invoiceTypes, transactionTypes } from "../src/protocol/InvoiceRequest.ts"
import { type JournalContent, journalText } from "../src/receipts/journalText.ts"
import { counterExtension } from "../src/receipts/journalWords.ts"

// The samples are data of V-PFR §8.8: receipts as the authority's software printed them.
const sample = (name: string): ReadonlyArray<string> =>
  readFileSync(new URL(`samples/${name}.txt`, import.meta.url), "utf8").trimEnd().split("\n")

const linesOf = (content: JournalContent): ReadonlyArray<string> => {
  const text = journalText(content)
  expect(text.endsWith("\r\n")).toBe(true)
  return text.slice(0, -2).split("\r\n")
}

const item = (name: string, quantity: bigint, unitPrice: bigint, totalAmount: bigint, label: string) =>
  ({ gtin: null, name, quantity, unitPrice, totalAmount, labels: [label] })

const request: JournalContent["request"] = {
  dateAndTimeOfIssue: null,
  cashier: null,
  buyerId: null,
  buyerCostCenterId: null,
  invoiceType: "Normal",
  transactionType: "Sale",
  payment: [{ paymentType: "Cash", amount: 6846n }],
  invoiceNumber: null,
  referentDocumentNumber: null,
  referentDocumentDT: null,
  items: [item("Sport-100 Helmet, Blue", 2000n, 3423n, 6846n, "A")]
}

const sandboxSale: JournalContent = {
  language: "sr-Cyrl-RS",
  headerForm: "left",
  seller: {
    tin: "RS111911206",
    businessName: "NAVIPARTNER",
    locationName: "NAVIPARTNER",
    address: "ХЕРОЈА МИЛАНА ТЕПИЋА 13",
    district: "Београд"
  },
  request: {
    ...request,
    cashier: "123456789",
    buyerId: "RS34564565",
    buyerCostCenterId: "567546",
    invoiceNumber: "POS2017/998",
    dateAndTimeOfIssue: readWrittenTime("2020-12-08T08:55:23.286Z")
  },
  totalAmount: 6846n,
  taxItems: [{ label: "A", categoryName: "VAT", categoryType: 0, rate: 900, amount: 56527n }],
  sdcTime: belgradeCivilTime(Date.parse("2023-06-06T13:21:15+02:00")),
  invoiceNumber: "YJLQTEQR-YJLQTEQR-11389",
  invoiceCounter: "8652/11389ПП"
}

describe("Journals match the known receipts to the character (V-PFR §8.8)", () => {
  it("sandbox Normal Sale, left header", () => {
    expect(linesOf(sandboxSale)).toEqual(sample("sandbox-normal-sale"))
  })

  it("two rates, overpaid cash, centred header", () => {
    const lines = linesOf({
      ...sandboxSale,
      headerForm: "centred",
      seller: {
        tin: "101670560",
        businessName: "Mercator-S doo",
        locationName: "1108934-Roda Megamarket 345",
        // With trailing blanks, which its certificate must have: the printed line is left of the middle.
        address: "ВИЗАНТИЈСКИ БУЛЕВАР 1  ",
        district: "Ниш-Медијана"
      },
      request: {
        ...request,
        cashier: "1011902",
        invoiceNumber: "431/2.0.0.2",
        payment: [{ paymentType: "Cash", amount: 100000n }],
        items: [
          item("JABUKA ZLATNI DELISES             KG", 1066n, 11999n, 12791n, "Е"),
          item("POMORANDZA MREZICA 2/1            KG", 2010n, 8999n, 18088n, "Е"),
          item("MANDARINA                         KG", 1172n, 17999n, 21095n, "Е"),
          item("KESA VJZ 7KG 51 MIKRON           KOM", 1000n, 1299n, 1299n, "Ђ"),
          item("BANANA                            KG", 1482n, 19999n, 29639n, "Е")
        ]
      },
      totalAmount: 82912n,
      taxItems: [
        { label: "Е", categoryName: "П-ПДВ", categoryType: 0, rate: 1000, amount: 741936n },
        { label: "Ђ", categoryName: "О-ПДВ", categoryType: 0, rate: 2000, amount: 21650n }
      ],
      sdcTime: belgradeCivilTime(Date.parse("2022-12-31T15:51:57+01:00")),
      invoiceNumber: "746DUV64-746DUV64-16898",
      invoiceCounter: "16887/16898ПП"
    })
    expect(lines).toEqual(sample("production-two-rates"))
  })

  it("proforma of a cloud signer, whose source lost its trailing blanks", () => {
    const lines = linesOf({
      ...sandboxSale,
      seller: {
        tin: "112392483",
        businessName: "RESTAURANT PLEASURE PARK ČAIR",
        locationName: "1207756-PLEASURE PARK ČAIR",
        address: "ИX БРИГАДЕ 27 Л1",
        district: "Ниш-Медијана"
      },
      request: {
        ...request,
        cashier: "Operater 1",
        invoiceNumber: "868/5.0",
        invoiceType: "ProForma",
        payment: [{ paymentType: "Cash", amount: 150000n }],
        items: [
          item("Elixir mix 0.33l", 1000n, 36000n, 36000n, "Ђ"),
          item("Grcki omlet", 1000n, 49000n, 49000n, "Ђ"),
          item("Burito sa piletinom", 1000n, 65000n, 65000n, "Ђ")
        ]
      },
      totalAmount: 150000n,
      taxItems: [{ label: "Ђ", categoryName: "О-ПДВ", categoryType: 0, rate: 2000, amount: 2500000n }],
      sdcTime: belgradeCivilTime(Date.parse("2023-01-03T10:42:52+01:00")),
      invoiceNumber: "VBMHX9SX-R7WS5MO0-68357",
      invoiceCounter: "44588/68357РП"
    })
    expect(lines.map((line) => line.trimEnd())).toEqual(sample("production-proforma").map((line) => line.trimEnd()))
  })
})

// V-PFR §8.3.
const kinds: ReadonlyArray<readonly [string, string, string, string]> = [
  ["Normal", "Sale", "ПП NS", "-------------ПРОМЕТ ПРОДАЈА-------------"],
  ["Normal", "Refund", "ПР NR", "-----------ПРОМЕТ РЕФУНДАЦИЈА-----------"],
  ["Advance", "Sale", "АП AS", "-------------АВАНС ПРОДАЈА--------------"],
  ["Advance", "Refund", "АР AR", "-----------АВАНС РЕФУНДАЦИЈА------------"],
  ["Copy", "Sale", "КП CS", "-------------КОПИЈА ПРОДАЈА-------------"],
  ["Copy", "Refund", "КР CR", "-----------КОПИЈА РЕФУНДАЦИЈА-----------"],
  ["ProForma", "Sale", "РП PS", "-----------ПРЕДРАЧУН ПРОДАЈА------------"],
  ["ProForma", "Refund", "РР PR", "---------ПРЕДРАЧУН РЕФУНДАЦИЈА----------"],
  ["Training", "Sale", "ОП TS", "-------------ОБУКА ПРОДАЈА--------------"],
  ["Training", "Refund", "ОР TR", "-----------ОБУКА РЕФУНДАЦИЈА------------"]
]

describe("All ten kinds (V-PFR §8.1, §8.3)", () => {
  it("covers every combination", () => {
    const all = invoiceTypes.flatMap((type) => transactionTypes.map((transaction) => `${type} ${transaction}`))
    expect(kinds.map(([type, transaction]) => `${type} ${transaction}`).toSorted()).toEqual(all.toSorted())
  })

  it.each(kinds)("%s %s is %s", (type, transaction, extensions, typeLine) => {
    const invoiceType = invoiceTypes.find((name) => name === type) ?? "Normal"
    const transactionType = transactionTypes.find((name) => name === transaction) ?? "Sale"
    const lines = linesOf({ ...sandboxSale, headerForm: "centred", request: { ...sandboxSale.request, invoiceType, transactionType } })
    const fiscal = type === "Normal" || type === "Advance"
    expect(lines).toContain(typeLine)
    expect(lines[0]).toBe(fiscal ? "============ ФИСКАЛНИ РАЧУН ============" : "======== ОВО НИЈЕ ФИСКАЛНИ РАЧУН =======")
    expect(lines.at(-1)).toBe(fiscal ? "======== КРАЈ ФИСКАЛНОГ РАЧУНА =========" : "======== ОВО НИЈЕ ФИСКАЛНИ РАЧУН =======")
    expect(lines.filter((line) => line === "        ОВО НИЈЕ ФИСКАЛНИ РАЧУН         ")).toHaveLength(fiscal ? 0 : 1)
    expect(lines.some((line) => line.startsWith("Укупна рефундација:"))).toBe(transaction === "Refund")
    expect(lines.some((line) => line.endsWith(" -68,46"))).toBe(transaction === "Refund")
    expect(lines.filter((line) => line !== "Артикли" && [...line].length !== 40)).toEqual([])
    const english = linesOf({ ...sandboxSale, language: "en-US", headerForm: "centred", request: { ...sandboxSale.request, invoiceType, transactionType } })
    expect(english.filter((line) => line !== "Items" && [...line].length !== 40)).toEqual([])
    expect(english).toHaveLength(lines.length)
    expect(`${counterExtension("sr-Cyrl-RS", invoiceType, transactionType)} ${counterExtension("en-US", invoiceType, transactionType)}`).toBe(extensions)
  })
})

describe("Wrapping (V-PFR §8.1)", () => {
  it("cuts a value that does not fit beside its key hard and carries it over", () => {
    const lines = linesOf({ ...sandboxSale, invoiceNumber: "9VMEKMSN-DBV8GPO0-1599033" })
    const at = lines.findIndex((line) => line.startsWith("ПФР број рачуна:"))
    expect(lines.slice(at, at + 2)).toEqual(["ПФР број рачуна: 9VMEKMSN-DBV8GPO0-15990", "33".padEnd(40)])
  })

  it("wraps a header at blanks and centres every line of it", () => {
    const businessName = "Привредно друштво за производњу, трговину и услуге Зора"
    const lines = linesOf({ ...sandboxSale, headerForm: "centred", seller: { ...sandboxSale.seller, businessName } })
    expect(lines.slice(2, 4)).toEqual(["Привредно друштво за производњу,".padStart(36).padEnd(40), "трговину и услуге Зора".padStart(31).padEnd(40)])
  })

  it("wraps an item's name with its labels every forty characters", () => {
    const long = item("Веома дугачак назив артикла који не стаје у један ред/kom", 1500n, 100n, 150n, "Ђ")
    const lines = linesOf({ ...sandboxSale, request: { ...request, items: [{ ...long, labels: ["Ђ", "Е"] }] } })
    const at = lines.indexOf("Назив   Цена         Кол.         Укупно")
    expect(lines.slice(at + 1, at + 4)).toEqual([
      "Веома дугачак назив артикла који не стај",
      "е у један ред/kom (Ђ, Е)".padEnd(40),
      "         1,00      1,500            1,50"
    ])
  })

  it("prints an amount per quantity in dinars", () => {
    const lines = linesOf({ ...sandboxSale, taxItems: [{ label: "P", categoryName: "PBL", categoryType: 2, rate: 50, amount: 5000n }] })
    expect(lines).toContain("P             PBL  0,50RSD          0,50")
  })

  it("sums the printed taxes, not the exact ones", () => {
    // V-PFR §6.3, receipt HSF55JGN-HSF55JGN-273588.
    const lines = linesOf({
      ...sandboxSale,
      taxItems: [
        { label: "Е", categoryName: "П-ПДВ", categoryType: 0, rate: 1000, amount: 103082n },
        { label: "Ђ", categoryName: "О-ПДВ", categoryType: 0, rate: 2000, amount: 1073266n }
      ]
    })
    expect(lines).toContain("Укупан износ пореза:".padEnd(34) + "117,64")
  })
})
