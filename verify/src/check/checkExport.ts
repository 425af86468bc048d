import { checkReceipt, decodeVerificationLink, formatDecimal, invoiceNumberOf, type VerificationLink, verifyLinkDigest } from "@overa/domain"
import { BigDecimal, Option, Result } from "effect"
import { readCsv } from "../read/readCsv.ts"
import { type Finding, finding } from "./Finding.ts"
import type { Knowledge } from "./Knowledge.ts"

/** Rows an export may have (Decisions §5, Journal), and the heading. */
const mostRows = 10_001
/** Rows named one by one; the others are counted. */
const mostNamed = 20

type Row = ReadonlyMap<string, string>

/** The columns that a row's own link states too. */
const ofLink = ["pfrNumber", "pfrTotalAmount", "totalAmount", "pfrTime", "buyerId", "invoiceType", "transactionType", "verificationUrl", "status"]

/** The columns by which the journal's export is recognized. */
const needed = ["id", "status", "pfrNumber", "pfrTotalAmount", "verificationUrl"]

/** An export's rows by the names of its columns; null where the file is none. */
export const readExport = (text: string): ReadonlyArray<Row> | null => {
  const [head = [], ...rows] = readCsv(text, mostRows)
  return needed.every((name) => head.includes(name)) ? rows.map((cells) => new Map(head.map((name, at) => [name, cells[at] ?? ""]))) : null
}

/** Texts that begin like a formula have an apostrophe before them (Decisions §11). */
const unguarded = (text: string): string => /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text

const sameAmount = (text: string, link: VerificationLink): boolean =>
  Option.match(BigDecimal.fromString(text), { onNone: () => false, onSome: (amount) => BigDecimal.equals(amount, link.totalAmount) })

const amountDifference = (row: Row, name: string, link: VerificationLink): ReadonlyArray<string> => {
  const text = row.get(name)
  return text === undefined || sameAmount(text, link) ? [] : [`${name} ${text} ≠ ${formatDecimal(link.totalAmount, 2)}`]
}

/** The differences between a row and its own link. Only a receipt has a link. */
const differences = (row: Row, link: VerificationLink): ReadonlyArray<string> => {
  const cell = (name: string): string => unguarded(row.get(name) ?? "")
  return [
    ...(cell("status") === "FISCALIZED" ? [] : ["status"]),
    ...(verifyLinkDigest(link) ? [] : ["verificationUrl"]),
    ...(cell("pfrNumber") === invoiceNumberOf(link) ? [] : ["pfrNumber"]),
    ...amountDifference(row, "pfrTotalAmount", link),
    ...amountDifference(row, "totalAmount", link),
    ...(cell("pfrTime") === "" || Date.parse(cell("pfrTime")) === link.sdcTimeMillis ? [] : ["pfrTime"]),
    ...(cell("buyerId") === (link.buyerId ?? "") ? [] : ["buyerId"]),
    ...(cell("invoiceType") === link.invoiceType && cell("transactionType") === link.transactionType ? [] : ["invoiceType, transactionType"])
  ]
}

const rowFindings = (row: Row, line: number): ReadonlyArray<Finding> => {
  const link = decodeVerificationLink(row.get("verificationUrl") ?? "")
  if (Result.isFailure(link)) return [finding("CONTRADICTED", "rowUnreadable", line)]
  const different = differences(row, link.success)
  return different.length === 0 ? [] : [finding("CONTRADICTED", "rowWrong", line, different.join("; "))]
}

const signed = (row: Row, { signers, tin }: Knowledge): boolean => {
  const check = checkReceipt(row.get("verificationUrl") ?? "", { signers, ...(tin === null ? {} : { tin }) })
  return Result.isSuccess(check) && check.success.undamaged && check.success.signatureValid === true
}

/** Whether a row has a value that only a receipt has. */
const isReceipt = (row: Row): boolean => row.get("status") === "FISCALIZED" || ["pfrNumber", "verificationUrl"].some((name) => (row.get(name) ?? "") !== "")

/** Each receipt of an export compared with its own link. Only a log can show that none is missing. */
export const checkExport = (rows: ReadonlyArray<Row>, knowledge: Knowledge): ReadonlyArray<Finding> => {
  const receipts = rows.map((row, at) => ({ row, line: at + 2 })).filter(({ row }) => isReceipt(row))
  const only = [...rows[0]?.keys() ?? []].filter((name) => !ofLink.includes(name))
  const wrong = receipts.flatMap(({ line, row }) => rowFindings(row, line))
  const verified = receipts.filter(({ row }) => signed(row, knowledge)).length
  return [
    finding("CLAIMED", "exportRows", rows.length, receipts.length),
    ...wrong.slice(0, mostNamed),
    finding(verified === receipts.length && wrong.length === 0 && verified > 0 ? "PROVEN" : "CLAIMED", "exportLinks", receipts.length - wrong.length, receipts.length, verified),
    finding("CLAIMED", "exportOnly", only.join(", ")),
    finding("CLAIMED", "exportComplete")
  ]
}
