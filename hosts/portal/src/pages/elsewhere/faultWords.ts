import type { ElsewhereDifference, ElsewhereFaultAt } from "@overa/domain"
import type { Say } from "../../language/Language.ts"

type Words = readonly [serbian: string, english: string]

const members: Readonly<Record<ElsewhereDifference, Words>> = {
  pfrTime: ["ПФР време", "PFR time"],
  kind: ["врста", "kind"],
  counter: ["бројач", "counter"],
  totalAmount: ["износ", "total"],
  totalTax: ["порез", "tax"],
  buyerId: ["купац", "buyer"]
}

/** Why a piece of a file is not imported. */
export const faultWords = (say: Say, { fault }: ElsewhereFaultAt): string => {
  switch (fault._tag) {
    case "NothingFound":
      return say("нема ни верификационог линка ни текста рачуна", "there is no verification link and no receipt's text")
    case "LinkUnreadable":
      return say("верификациони линк није читљив; можда није цео", "the verification link cannot be read; it may not be whole")
    case "LinkDamaged":
      return say("верификациони линк је оштећен: контролни збир се не слаже", "the verification link is damaged: its check sum does not fit")
    case "OtherAddress":
      return say("линк не води Пореској управи овог окружења: ", "the link does not lead to the tax authority of this environment: ") + fault.address
    case "SignatureWrong":
      return say("потпис се не слаже са познатим кључем за овог обвезника: рачун другог продавца, или лажан", "the signature does not fit the known key for this taxpayer: another seller's receipt, or a forged one")
    case "JournalCut":
      return say("рачун овде почиње, а нема му краја", "a receipt begins here and does not end")
    case "JournalUnreadable":
      return say(`текст рачуна није читљив у његовом реду ${fault.line}`, `the receipt's text cannot be read in its line ${fault.line}`)
    case "OtherSeller":
      return say(`рачун је продавца ${fault.tin}, не овог обвезника`, `the receipt is of the seller ${fault.tin}, not of this taxpayer`)
    case "Contradicts":
      return `${fault.pfrNumber}: ${say("већ је познат, а разликује се", "known already, and different")}: ${fault.differences.map((it) => say(...members[it])).join(", ")}`
    case "OwnDocument":
      return `${fault.pfrNumber}: ${say("издат је овде", "was issued here")}`
    case "OtherTaxpayer":
      return `${fault.pfrNumber}: ${say("увезен је за другог обвезника ове организације", "is imported for another taxpayer of this organization")}`
    case "FileUnreadable":
      return say("датотека није читљива као текст (UTF-8)", "the file cannot be read as a text (UTF-8)")
  }
}
