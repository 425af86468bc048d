import type { ElsewhereDifference, ElsewhereFaultAt } from "@overa/domain"

const named: Readonly<Record<ElsewhereDifference, string>> = {
  pfrTime: "PFR time", kind: "kind", counter: "counter", totalAmount: "total", totalTax: "tax", buyerId: "buyer"
}

const sentenceOf = ({ fault }: ElsewhereFaultAt): string => {
  switch (fault._tag) {
    case "NothingFound":
      return "there is no verification link and no receipt's text"
    case "LinkUnreadable":
      return `the verification link cannot be read: ${fault.reason}`
    case "LinkDamaged":
      return "the verification link is damaged: its check sum does not fit"
    case "OtherAddress":
      return `the link leads to ${fault.address}, which is not the tax authority of this environment`
    case "SignatureWrong":
      return `the signature does not verify under the key of ${fault.signedBy} for this taxpayer: another seller's receipt, or a forged one`
    case "JournalCut":
      return "a receipt begins here and does not end"
    case "JournalUnreadable":
      return `the receipt's text cannot be read${fault.line > 0 ? `, its line ${fault.line}` : ""}: ${fault.reason}`
    case "OtherSeller":
      return `the receipt is of the seller ${fault.tin}, not of this taxpayer`
    case "Contradicts":
      return `${fault.pfrNumber} is known with another ${fault.differences.map((it) => named[it]).join(", ")}`
    case "OwnDocument":
      return `${fault.pfrNumber} is document ${fault.id} of this service`
    case "OtherTaxpayer":
      return `${fault.pfrNumber} is recorded for taxpayer ${fault.taxpayerId}`
    case "FileUnreadable":
      return `the file cannot be read: ${fault.reason}`
  }
}

/** A fault of an import with its place, in one line. */
export const faultSentence = (at: ElsewhereFaultAt): string => `${at.file}${at.line > 0 ? `:${at.line}` : ""}: ${sentenceOf(at)}`
