import { PaymentType, type SalesAndRefunds, TurnoverGrouping } from "@overa/domain"
import type { Say } from "../../language/Language.ts"
import { reportedTime } from "../../language/formats.ts"
import { paymentWords } from "../receipts/receiptWords.ts"
import { sideTitles } from "./sideWords.ts"

type Words = readonly [serbian: string, english: string]

const names: Readonly<Record<TurnoverGrouping, Words>> = {
  day: ["Дан", "Day"],
  month: ["Месец", "Month"],
  premise: ["Пословни простор", "Premise"],
  paymentType: ["Начин плаћања", "Kind of payment"],
  taxLabel: ["Пореске ознаке", "Tax labels"],
  cashier: ["Касир", "Cashier"]
}

export const groupingWords = (say: Say, grouping: TurnoverGrouping): string => say(...names[grouping])

/** The names of premises by id. */
export type PremiseNames = ReadonlyMap<string, string>

const paidBy = (say: Say, value: string | null): string => {
  const type = PaymentType.literals.find((it) => it === value)
  return type === undefined ? say("Из аванса", "From an advance") : paymentWords(say, type)
}

/** The group of a row, one text for each grouping. */
export const groupTexts = (say: Say, { group }: Pick<SalesAndRefunds, "group">, groupBy: ReadonlyArray<TurnoverGrouping>, premises: PremiseNames): ReadonlyArray<string> =>
  groupBy.map((grouping) => {
    const value = group[grouping] ?? null
    switch (grouping) {
      case "day":
      case "month":
        return reportedTime(value ?? "")
      case "premise":
        return premises.get(value ?? "") ?? value ?? ""
      case "paymentType":
        return paidBy(say, value)
      default:
        return value ?? ""
    }
  })

/** The title of a column of a saved report. */
export const columnTitle = (say: Say) => {
  const [saleReceipts, sales, refundReceipts, refunds, net] = sideTitles(say)
  const named: Readonly<Record<string, string>> = {
    "sales.receipts": saleReceipts,
    sales,
    "refunds.receipts": refundReceipts,
    refunds,
    net,
    premise: say("Ознака простора", "Premise id"),
    premiseName: say("Пословни простор", "Premise"),
    advanceApplied: say("Из аванса, RSD", "From advances, RSD")
  }
  return (name: string): string => {
    const [kind, of = ""] = name.split(".")
    const grouping = TurnoverGrouping.literals.find((it) => it === name)
    if (named[name] !== undefined) return named[name]
    if (kind === "payment") return `${paidBy(say, of)}, RSD`
    return grouping === undefined ? `${say("Порез", "Tax")} ${of}, RSD` : groupingWords(say, grouping)
  }
}
