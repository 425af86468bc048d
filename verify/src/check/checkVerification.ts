import { checkReceipt, linkFacts, type ReceiptCheck } from "@overa/domain"
import { DateTime, Result } from "effect"
import { type JsonRecord, recordOf, textOf } from "../read/readProof.ts"
import { differingMembers, jsonNumberOf } from "./checkDocument.ts"
import type { OwnKey } from "./checkLink.ts"
import { type Finding, finding } from "./Finding.ts"

const factsOfLink = ({ link }: ReceiptCheck) => Object.entries({
  root: link.root,
  requestedBy: link.requestedBy,
  signedBy: link.signedBy,
  totalCounter: link.totalCounter,
  transactionTypeCounter: link.transactionTypeCounter,
  totalAmount: jsonNumberOf(link.totalAmount),
  sdcTime: DateTime.formatIso(DateTime.makeUnsafe(link.sdcTimeMillis)),
  invoiceType: link.invoiceType,
  transactionType: link.transactionType,
  buyerId: link.buyerId
})

/** The facts whose standing is more than the link and the proof's own key can show. */
const standingsTooHigh = (standing: JsonRecord | null, check: ReceiptCheck): ReadonlyArray<string> =>
  linkFacts.filter((fact) => {
    const told = textOf(standing, fact)
    return check.standing[fact] === "NOT_COVERED" ? told !== "NOT_COVERED" : told !== "CLAIMED" && (told !== "PROVEN" || check.standing[fact] !== "PROVEN")
  })

const signatures = ["NOT_CHECKED", "VALID", "UNDER_NO_KNOWN_KEY"]

const signatureTooHigh = (verification: JsonRecord, check: ReceiptCheck): boolean => {
  const told = textOf(verification, "signature")
  const isKeyFitting = verification.get("signer") === null ? check.signer === null : check.signer !== null
  return !signatures.includes(told ?? "") || !isKeyFitting || (told === "VALID") !== (check.signer !== null)
}

/** The proof's own statement about its link is not needed; where it says something else than the link shows, somebody has changed it. */
export const verificationFindings = (url: string, verification: JsonRecord | null, own: OwnKey): ReadonlyArray<Finding> => {
  const check = Result.getOrNull(checkReceipt(url, { ...(own.tin === null ? {} : { tin: own.tin }), signers: own.signer === null ? [] : [own.signer] }))
  if (check === null) return []
  if (verification === null) return [finding("CONTRADICTED", "verificationWrong", "verification")]
  const wrong = [
    ...differingMembers(recordOf(verification.get("link")), factsOfLink(check)),
    ...standingsTooHigh(recordOf(verification.get("standing")), check),
    ...(verification.get("undamaged") === check.undamaged ? [] : ["undamaged"]),
    ...(signatureTooHigh(verification, check) ? ["signature"] : [])
  ]
  return wrong.length === 0 ? [] : [finding("CONTRADICTED", "verificationWrong", [...new Set(wrong)].join(", "))]
}
