import { checkReceipt, formatDecimal, type LinkFact, type LinkUnreadable, type ReceiptCheck, type SignerKey, type VerificationLink } from "@overa/domain"
import { DateTime, Result } from "effect"
import { type Finding, finding, type Subject, type Verdict } from "./Finding.ts"
import type { Knowledge } from "./Knowledge.ts"

const timeOf = ({ sdcTimeMillis }: VerificationLink): string => DateTime.formatIso(DateTime.makeUnsafe(sdcTimeMillis))

type Fact = readonly [fact: LinkFact, subject: Subject, values: (link: VerificationLink) => ReadonlyArray<string | number>]

/** The facts of a link in the order of the report. */
const facts: ReadonlyArray<Fact> = [
  ["totalAmount", "totalAmount", (link) => [formatDecimal(link.totalAmount, 2)]],
  ["sdcTime", "sdcTime", (link) => [timeOf(link)]],
  ["invoiceType", "kind", (link) => [link.invoiceType, link.transactionType]],
  ["buyerId", "buyerId", (link) => [link.buyerId ?? "–"]],
  ["totalCounter", "counters", (link) => [link.transactionTypeCounter, link.totalCounter]],
  ["requestedBy", "requestedBy", (link) => [link.requestedBy]],
  ["signedBy", "signedBy", (link) => [link.signedBy]]
]

/** A key in the file itself: it proves nothing about its holder. */
export interface OwnKey {
  readonly signer: SignerKey | null
  readonly tin: string | null
}

const signatureFinding = (check: ReceiptCheck, own: ReceiptCheck | null, knowledge: Knowledge, tin: string | null): Finding => {
  if (check.signer !== null) return finding("PROVEN", "signatureValid", check.signer.name)
  if (own?.signer !== undefined && own.signer !== null) return finding("CLAIMED", "signatureOwnKey", own.signer.name)
  if (knowledge.signers.length === 0) return finding("CLAIMED", "signatureNoKey")
  return tin === null ? finding("CLAIMED", "signatureNoTin") : finding("CLAIMED", "signatureUnknownKey", knowledge.signers.length)
}

const checkedFindings = (check: ReceiptCheck, own: ReceiptCheck | null, knowledge: Knowledge, tin: string | null): ReadonlyArray<Finding> => [
  check.undamaged ? finding("CLAIMED", "checksumFits") : finding("CONTRADICTED", "checksumWrong"),
  signatureFinding(check, own, knowledge, tin),
  ...facts.map(([fact, subject, values]): Finding => {
    const standing: Verdict = check.standing[fact]
    return finding(standing, subject, ...values(check.link))
  }),
  finding("NOT_COVERED", "linkAddress", check.link.root)
]

/**
 * What a verification link proves. The TIN is the reader's where there is one, else the file's own: it is part of the signed message, so a wrong one
 * only makes the signature fail.
 */
export const checkLink = (url: string, knowledge: Knowledge, own: OwnKey = { signer: null, tin: null }): Result.Result<ReadonlyArray<Finding>, LinkUnreadable> => {
  const tin = knowledge.tin ?? own.tin
  const told = tin === null ? {} : { tin }
  return Result.map(checkReceipt(url, { ...told, signers: knowledge.signers }), (check) => {
    const byOwnKey = own.signer === null ? null : Result.getOrNull(checkReceipt(url, { ...told, signers: [own.signer] }))
    return checkedFindings(check, byOwnKey, knowledge, tin)
  })
}

const address = /https?:\/\/[^\s"'<>()]{1,200}[?&]vl=[^\s"'<>()]{1,4000}/

/** The first verification link in a text; null where there is none. */
export const linkIn = (text: string): string | null => address.exec(text)?.[0] ?? null
