import type { ElsewhereReceipt, FoundElsewhere } from "@overa/domain"
import { BigDecimal, DateTime, Result } from "effect"

/** A receipt of another ESIR; `number` tells them apart. */
export const sampleElsewhere = (number: number, changes: Partial<ElsewhereReceipt> = {}): ElsewhereReceipt => ({
  pfrNumber: `AB12CD34-EF56GH78-${number}`,
  pfrTime: DateTime.makeUnsafe(Date.UTC(2026, 9, 1, 8, 0, 0) + number * 3_600_000),
  invoiceType: "NORMAL",
  transactionType: "SALE",
  counter: `${number}/${number}`,
  totalAmount: BigDecimal.fromStringUnsafe("1200.5"),
  totalTax: BigDecimal.fromStringUnsafe("200.08"),
  buyerId: null,
  verificationUrl: null,
  journal: "============ ФИСКАЛНИ РАЧУН ============\r\nтекст",
  standing: "CLAIMED",
  ...changes
})

/** The same receipt as its link tells it. */
export const asLink = (receipt: ElsewhereReceipt): ElsewhereReceipt => ({
  ...receipt,
  pfrTime: DateTime.add(receipt.pfrTime, { milliseconds: 421 }),
  totalTax: null,
  journal: null,
  verificationUrl: `https://suf.purs.gov.rs/v/?vl=${receipt.pfrNumber}`,
  standing: "PROVEN"
})

/** Receipts as found in a file, one on a line. */
export const foundElsewhere = (...receipts: ReadonlyArray<ElsewhereReceipt>): ReadonlyArray<FoundElsewhere> =>
  receipts.map((receipt, at) => ({ file: "old.txt", line: at + 1, read: Result.succeed(receipt) }))
