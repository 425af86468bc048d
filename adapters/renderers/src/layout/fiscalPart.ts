import type { BuyerDetails, Receipt } from "@overa/domain"
import type { FiscalBlock } from "./ReceiptLayout.ts"

const nonFiscalNotice = "ОВО НИЈЕ ФИСКАЛНИ РАЧУН"
/** As wide as a line of the journal: forty columns. */
const signatureText = "Потпис купца: ".padEnd(40, "_")

/** The journal's lines, without the end-of-line marks; the V-PFR ends every line with CRLF (V-PFR §8.1). */
export const journalLines = (journal: string): ReadonlyArray<string> => {
  const lines = journal.split(/\r\n|\n|\r/)
  while (lines.length > 0 && lines[lines.length - 1] === "") lines.pop()
  return lines
}

const isRule = (line: string): boolean => /^=+\s*$/.test(line)

/** The notice is alone on its line; in the title and closing lines the same words are framed by `=` (V-PFR §8.1). */
const isNotice = (line: string): boolean => line.trim() === nonFiscalNotice

const isBuyerIdentification = (line: string): boolean => line.startsWith("ИД купца:")

const buyerDetailsLines = (details: BuyerDetails): ReadonlyArray<string> => [
  details.legalName,
  ...(details.address === null && details.city === null
    ? []
    : [[details.address, details.city].filter((part) => part !== null).join(", ")]),
  [`ПИБ ${details.taxIdentifier}`, ...(details.registrationNumber === null ? [] : [`МБ ${details.registrationNumber}`])]
    .join(" · ")
]

/** Journal lines as blocks: plain stretches, the notice, and the added buyer details under the buyer's identification. */
const blocksOf = (lines: ReadonlyArray<string>, details: BuyerDetails | null): ReadonlyArray<FiscalBlock> => {
  const blocks: Array<FiscalBlock> = []
  let stretch: Array<string> = []
  const close = () => {
    if (stretch.length > 0) blocks.push({ kind: "journal", lines: stretch })
    stretch = []
  }
  let detailsDue = details
  for (const line of lines) {
    if (isNotice(line)) {
      close()
      blocks.push({ kind: "notice", text: line })
      continue
    }
    stretch.push(line)
    if (detailsDue !== null && isBuyerIdentification(line)) {
      close()
      blocks.push({ kind: "buyerDetails", lines: buyerDetailsLines(detailsDue) })
      detailsDue = null
    } else if (isRule(line)) close()
  }
  close()
  return blocks
}

/** A cash refund's copy is signed by the buyer and kept by the seller (Spec, Refunds; V-PFR §8.7). */
const isSignedByBuyer = ({ operation: { content } }: Receipt): boolean =>
  content.invoiceType === "COPY" && content.transactionType === "REFUND" &&
  content.payments.some((payment) => payment.type === "CASH")

/**
 * The fiscal part: every line of the journal unchanged and in order, the QR code and the signature line between its last `=` line
 * and its closing line (Decisions §6; V-PFR §7.3). A journal without such lines keeps its text and gets the QR code at its end.
 */
export const fiscalPart = (receipt: Receipt): ReadonlyArray<FiscalBlock> => {
  const lines = journalLines(receipt.answer.pfr.journal)
  const lastRule = lines.findLastIndex(isRule)
  const closingAt = lastRule === -1 ? lines.length : lastRule + 1
  const signature: ReadonlyArray<FiscalBlock> = isSignedByBuyer(receipt)
    ? [{ kind: "signature", text: signatureText }]
    : []
  return [
    ...blocksOf(lines.slice(0, closingAt), receipt.operation.buyerDetails),
    { kind: "qr" },
    ...signature,
    ...blocksOf(lines.slice(closingAt), null)
  ]
}
