import { BigDecimal, DateTime, Result } from "effect"
import type { Remark } from "../documents/PfrResult.ts"
import { formatDecimal } from "../money/decimals.ts"
import { invoiceTypeWord, keys, lineWidth, transactionWord } from "../receipt-text/textLines.ts"
import { readJournal } from "../receipt-text/readJournal.ts"
import { money, printedTime } from "../receipt-text/writeJournal.ts"
import { taxByLabel } from "../tax/taxByLabel.ts"
import { belgradeTime } from "../time/belgradeTime.ts"
import { isBase64Of } from "./bytes.ts"
import { counterExtension, kindOfCounterExtension } from "./pfrCodes.ts"
import type { AnswerFacts, ExpectedAnswer } from "./judgeAnswer.ts"
import type { ReadAnswer } from "./readSignedAnswer.ts"
import { invoiceNumberOf, type VerificationLink, verifyLinkDigest } from "./VerificationLink.ts"
import { verifySignature } from "./verifySignature.ts"

type Remarks = ReadonlyArray<Remark>
const remark = (kind: Remark["kind"], detail: string): Remark => ({ kind, detail })
const remarkUnless = (holds: boolean, kind: Remark["kind"], detail: () => string): Remarks =>
  holds ? [] : [remark(kind, detail())]

/** Compares the signed taxes with our own computation; without known rates there is nothing to compare. */
const taxRemarks = (expected: ExpectedAnswer, read: ReadAnswer): Remarks => {
  if (!read.taxesComplete) return [remark("TAX_DIFFERS", "the answer's tax items are missing or malformed")]
  if (expected.taxRates === null) return []
  const own = new Map(taxByLabel(expected.content.items, expected.taxRates).map((tax) => [tax.label, tax.amount]))
  const signed = new Map(read.answer.taxes.map((tax) => [tax.label, tax.amount]))
  const labels = new Set([...own.keys(), ...signed.keys()])
  const format = (amount: BigDecimal.BigDecimal | undefined) => (amount === undefined ? "nothing" : formatDecimal(amount, 4))
  return [...labels].flatMap((label) => {
    const ours = own.get(label)
    const theirs = signed.get(label)
    const same = ours !== undefined && theirs !== undefined && BigDecimal.equals(ours, theirs)
    return remarkUnless(same, "TAX_DIFFERS", () => `label ${label}: signed ${format(theirs)}, own ${format(ours)}`)
  })
}

const typeLine = /^-+(ПРОМЕТ|АВАНС|КОПИЈА|ПРЕДРАЧУН|ОБУКА) (ПРОДАЈА|РЕФУНДАЦИЈА)-+\r?$/m

/** Long numbers are split at 40 columns, so line ends are ignored in the comparison (V-PFR §8.1). */
const prints = (journal: string, value: string): boolean =>
  journal.includes(value) || journal.replaceAll(/\s/gu, "").includes(value)

/** The journal must contain this receipt's number, and where it names the kind in Serbian, this kind (V-PFR §8.1, §8.3). */
const journalRemarks = (expected: ExpectedAnswer, read: ReadAnswer): Remarks => {
  const { invoiceNumber, journal } = read.answer.pfr
  const kind = typeLine.exec(journal)
  const said = kind === null ? null : `${kind[1]} ${kind[2]}`
  const asked = `${invoiceTypeWord[expected.content.invoiceType]} ${transactionWord[expected.content.transactionType]}`
  return [
    ...remarkUnless(prints(journal, invoiceNumber), "JOURNAL_DIFFERS", () => `the journal does not print ${invoiceNumber}`),
    ...remarkUnless(said === null || said === asked, "JOURNAL_DIFFERS", () => `the journal says ${said}`)
  ]
}

/** Whether a line of key and value that fits into one line stands in the journal as the V-PFR writes it. */
const hasLine = (journal: string, key: string, value: string): boolean => journal.includes(`\n${key}${value.padStart(lineWidth - key.length)}\r\n`)

/**
 * Where the whole journal can be read, its total, time and counter are the answer's. It is read only where their lines are not there as the V-PFR writes
 * them: reading all of it takes longer than every other check of an answer.
 */
const printedRemarks = ({ content }: ExpectedAnswer, { answer: { pfr }, sdcTimeMillis }: ReadAnswer): Remarks => {
  const time = printedTime(belgradeTime(DateTime.makeUnsafe(sdcTimeMillis)))
  const counter = `${pfr.transactionTypeCounter}/${pfr.totalCounter}`
  const totalKey = content.transactionType === "REFUND" ? keys.totalRefund : keys.total
  if (
    hasLine(pfr.journal, totalKey, money(pfr.totalAmount)) && hasLine(pfr.journal, keys.pfrTime, time) &&
    hasLine(pfr.journal, keys.counter, counter + (pfr.invoiceCounterExtension ?? ""))
  ) return []
  const printed = Result.getOrNull(readJournal(pfr.journal))
  if (printed === null) return []
  return [
    ...remarkUnless(BigDecimal.equals(printed.total, pfr.totalAmount), "JOURNAL_DIFFERS", () => `the journal prints ${formatDecimal(printed.total, 2)}`),
    ...remarkUnless(printed.pfrTime === time, "JOURNAL_DIFFERS", () => `the journal prints ${printed.pfrTime}, and the signing time is ${time}`),
    ...remarkUnless(pfr.totalCounter === null || printed.counter.replace(/\D+$/, "") === counter, "JOURNAL_DIFFERS", () => `the journal prints ${printed.counter}, and the counter is ${counter}`)
  ]
}

const counterRemarks = (expected: ExpectedAnswer, read: ReadAnswer): Remarks => {
  const { pfr } = read.answer
  const mark = pfr.invoiceCounterExtension
  const number = pfr.totalCounter === null ? null : invoiceNumberOf({ ...pfr, totalCounter: pfr.totalCounter })
  return [
    ...remarkUnless(number === null || number === pfr.invoiceNumber, "COUNTERS_DIFFER", () =>
      `number ${pfr.invoiceNumber}, but its parts make ${number}`),
    ...remarkUnless(mark === null || kindOfCounterExtension(mark) !== null, "COUNTERS_DIFFER", () =>
      `mark ${mark} is unknown; ${counterExtension(expected.content)} was expected`)
  ]
}

/**
 * The facts that both answer and link contain, except those that show that the answer belongs to another request. Signer, counters and time are
 * always there: the reader of the answer takes from the link what the answer leaves out.
 */
const linkRemarks = (read: ReadAnswer, link: VerificationLink): Remarks => {
  const { pfr } = read.answer
  const compare = (name: string, inAnswer: string | number | null, inLink: string | number): Remarks =>
    remarkUnless(inAnswer === inLink, "LINK_DIFFERS", () => `${name}: ${inAnswer}, in the link ${inLink}`)
  const compareBytes = (name: string, inAnswer: string | null, inLink: Uint8Array): Remarks =>
    remarkUnless(inAnswer === null || isBase64Of(inAnswer, inLink), "LINK_DIFFERS", () => `${name} is not the link's`)
  return [
    ...compare("signedBy", pfr.signedBy, link.signedBy),
    ...compare("totalCounter", pfr.totalCounter, link.totalCounter),
    ...compare("transactionTypeCounter", pfr.transactionTypeCounter, link.transactionTypeCounter),
    ...compare("sdcTime", read.sdcTimeMillis, link.sdcTimeMillis),
    ...compareBytes("encryptedInternalData", read.answer.encryptedInternalData, link.encryptedInternalData),
    ...compareBytes("signature", read.answer.signature, link.signature)
  ]
}

const signatureRemarks = (expected: ExpectedAnswer, read: ReadAnswer, link: VerificationLink, facts: AnswerFacts): Remarks => {
  const modulus = facts.signerModulus?.(link.signedBy)
  const tin = read.answer.tin
  if (modulus === undefined || tin === null) return []
  const holds = verifySignature(link, { tin, buyerId: expected.content.buyer?.id ?? null, modulus })
  return remarkUnless(holds, "SIGNATURE_WRONG", () => `does not verify under the key known for ${link.signedBy}`)
}

const timeRemarks = (read: ReadAnswer): Remarks =>
  remarkUnless(read.sdcTimeOffset === "WRITTEN", "TIME_WITHOUT_OFFSET", () => `sdcDateTime has no offset and was read as Belgrade's time: ${read.answer.pfr.sdcTime}`)

/** The differences that do not show that an answer belongs to another request: the receipt counts, and a person should look (Decisions §4). */
export const answerRemarks = (expected: ExpectedAnswer, read: ReadAnswer, facts: AnswerFacts): Remarks => {
  const always = [
    ...taxRemarks(expected, read),
    ...journalRemarks(expected, read),
    ...printedRemarks(expected, read),
    ...counterRemarks(expected, read),
    ...timeRemarks(read)
  ]
  if (Result.isFailure(read.link)) return [...always, remark("LINK_UNREADABLE", read.link.failure.reason)]
  const link = read.link.success
  const root = facts.verificationRoot
  return [
    ...always,
    ...linkRemarks(read, link),
    ...remarkUnless(verifyLinkDigest(link, facts.md5), "LINK_DIGEST_WRONG", () => "its MD5 is not that of its bytes"),
    ...signatureRemarks(expected, read, link, facts),
    ...remarkUnless(root === null || link.root === root, "VERIFICATION_HOST_DIFFERS", () => `${link.root}, not ${root}`)
  ]
}
