import { describe, expect, it } from "vitest"
import { salesAndRefunds } from "../../src/journal/salesAndRefunds.ts"
import { turnoverReceipt } from "../../src/journal/turnoverParts.ts"
import { turnoverSheet } from "../../src/journal/turnoverSheet.ts"
import type { PfrTime } from "../../src/time/PfrTime.ts"
import { operationOf, signedAnswer } from "../arbitraries/Operation.ts"
import { decimal } from "../arbitraries/SaleLine.ts"

const receiptOf = (label: string) =>
  operationOf({ status: "FISCALIZED", answer: { ...signedAnswer, taxes: [{ label, category: "VAT", categoryType: 0, rate: decimal("20"), amount: decimal("1") }] } })

describe("A stored receipt whose turnover cannot be told", () => {
  it("has none: without its answer, or with a signing time that is none", () => {
    const unreadable = { ...signedAnswer, pfr: { ...signedAnswer.pfr, sdcTime: "yesterday" as PfrTime } }
    expect(turnoverReceipt(operationOf({ status: "FISCALIZED", answer: signedAnswer }))).not.toBeNull()
    expect([null, unreadable].map((answer) => turnoverReceipt(operationOf({ status: "FISCALIZED", answer })))).toEqual([null, null])
  })
})

describe("A sheet of the turnover", () => {
  it("has the labels in their order, whichever row has them first", () => {
    const rows = ["Ђ", "B", "A"].flatMap((label) => salesAndRefunds([receiptOf(label)], []).rows)
    expect(turnoverSheet(rows, { groupBy: [], premiseName: () => "" }).titles.slice(-3)).toEqual(["tax.A", "tax.B", "tax.Ђ"])
  })
})
