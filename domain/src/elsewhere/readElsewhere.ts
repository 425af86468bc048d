import { BigDecimal, DateTime, Result } from "effect"
import { type PrintedReceipt, readJournal } from "../receipt-text/readJournal.ts"
import { checkLink, type SignerKey } from "../verification/checkReceipt.ts"
import { decodeVerificationLink } from "../verification/VerificationLink.ts"
import { readSdcTime } from "../verification/readSignedAnswer.ts"
import type { ElsewhereFault, ElsewhereReceipt } from "./ElsewhereReceipt.ts"
import type { GatheredPiece } from "./gatherReceipts.ts"

/** What an import knows besides the files. */
export interface ElsewhereKnowledge {
  /** Nine digits, as the taxpayer is registered. */
  readonly taxIdentifier: string
  /** As signers write it into the signed message. */
  readonly tin: string
  readonly signers: ReadonlyArray<SignerKey>
  /** Null where the environment's address is not known: any is accepted then. */
  readonly verificationRoot: string | null
}

type Read = Result.Result<ElsewhereReceipt, ElsewhereFault>
const fault = (it: ElsewhereFault) => Result.fail(it)

/** The part of an address that names whose page it is; one signer writes `/v/?vl=`, another `/?vl=`. */
const hostOf = (root: string): string => root.replace(/^https?:\/\//, "").split(/[/?]/, 1)[0] ?? ""

const ofLink = (text: string, { signers, tin, verificationRoot }: ElsewhereKnowledge): Read => {
  const decoded = decodeVerificationLink(text)
  if (Result.isFailure(decoded)) return fault({ _tag: "LinkUnreadable", reason: decoded.failure.reason })
  const link = decoded.success
  const check = checkLink(link, { tin, signers })
  if (!check.undamaged) return fault({ _tag: "LinkDamaged" })
  if (verificationRoot !== null && hostOf(link.root) !== hostOf(verificationRoot)) return fault({ _tag: "OtherAddress", address: link.root })
  // The key of the signer that the link names is known, and no key fits: forged, or signed for another seller.
  if (check.signer === null && signers.some(({ name }) => name === link.signedBy)) return fault({ _tag: "SignatureWrong", signedBy: link.signedBy })
  return Result.succeed({
    pfrNumber: check.invoiceNumber,
    pfrTime: DateTime.makeUnsafe(link.sdcTimeMillis),
    invoiceType: link.invoiceType,
    transactionType: link.transactionType,
    counter: `${link.transactionTypeCounter}/${link.totalCounter}`,
    totalAmount: BigDecimal.normalize(link.totalAmount),
    totalTax: null,
    buyerId: link.buyerId,
    verificationUrl: text,
    journal: null,
    standing: check.signer === null ? "CLAIMED" : "PROVEN"
  })
}

const printedTime = /^(\d{1,2})\.(\d{1,2})\.(\d{4})\.\s+(\d{1,2}):(\d{2}):(\d{2})$/

/** The printed time as an instant; in the hour that comes twice in autumn, the first of them. */
const instantOf = (printed: string): DateTime.Utc | null => {
  const [, day = "", month = "", year = "", hour = "", minute = "", second = ""] = printedTime.exec(printed) ?? []
  const time = readSdcTime(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}T${hour.padStart(2, "0")}:${minute}:${second}`)
  return time === null ? null : DateTime.makeUnsafe(time.millis)
}

const factsOf = (printed: PrintedReceipt, pfrTime: DateTime.Utc, journal: string): ElsewhereReceipt => ({
  pfrNumber: printed.invoiceNumber,
  pfrTime,
  invoiceType: printed.invoiceType,
  transactionType: printed.transactionType,
  counter: printed.counter.replace(/\D+$/, ""),
  totalAmount: BigDecimal.normalize(BigDecimal.abs(printed.total)),
  totalTax: BigDecimal.normalize(BigDecimal.abs(printed.totalTax)),
  buyerId: printed.buyer,
  verificationUrl: null,
  journal,
  standing: "CLAIMED"
})

/** The text of a receipt, from an answer or from the tax authority's page, which escapes some letters. */
export const readElsewhereJournal = (text: string) => readJournal(text, /&(?:amp|lt|gt|quot|#39);/.test(text) ? "PAGE" : "ANSWER")

const ofJournal = (text: string, { taxIdentifier }: ElsewhereKnowledge): Read => {
  if (text.includes("\0") || !text.isWellFormed()) return fault({ _tag: "JournalUnreadable", line: 0, reason: "it has a character that no receipt has" })
  const read = readElsewhereJournal(text)
  if (Result.isFailure(read)) return fault({ _tag: "JournalUnreadable", line: read.failure.line, reason: read.failure.reason })
  const printed = read.success
  const tin = (printed.seller[0] ?? "").replace(/^RS/, "")
  if (tin !== taxIdentifier) return fault({ _tag: "OtherSeller", tin })
  const pfrTime = instantOf(printed.pfrTime)
  if (pfrTime === null) return fault({ _tag: "JournalUnreadable", line: 0, reason: `"${printed.pfrTime}" is no time of a receipt` })
  return Result.succeed(factsOf(printed, pfrTime, text))
}

/**
 * Reads one piece: a link is decoded, its digest, address and signature checked; a text is read line by line and its seller compared. Nothing is guessed.
 */
export const readElsewhere = (piece: GatheredPiece, knowledge: ElsewhereKnowledge): Read => {
  switch (piece._tag) {
    case "Link":
      return ofLink(piece.text, knowledge)
    case "Journal":
      return ofJournal(piece.text, knowledge)
    case "Cut":
      return fault({ _tag: "JournalCut" })
    case "Nothing":
      return fault({ _tag: "NothingFound" })
    case "Unreadable":
      return fault({ _tag: "FileUnreadable", reason: piece.reason })
  }
}
