/** A receipt verified offline; an answer of the V-PFR read and checked. */
export { decodeVerificationLink, invoiceNumberOf, LinkUnreadable, type VerificationLink, verifyLinkDigest } from "../verification/VerificationLink.ts"
export {
  checkLink, checkReceipt, type LinkFact, linkFacts, type ReceiptCheck, type ReceiptCheckOptions, type ReferenceKey, type SignerKey, type Standing
} from "../verification/checkReceipt.ts"
export {
  beginningsOfNumber, counterExtension, invoiceTypeNumber, invoiceTypeOfNumber, isJid, jidForm, kindOfCounterExtension, type MarkedKind,
  pfrNumberForm, signedTin, transactionTypeNumber, transactionTypeOfNumber
} from "../verification/pfrCodes.ts"
export { decimalField, field, integerField, isJsonObject, type JsonObject, parseExactJson, textField } from "../verification/exactJson.ts"
export {
  type AnswerFacts, type AnswerJudgement, type ExpectedAnswer, judgeAnswer, outcomeOfAnswer, searchOutcomeOfAnswer
} from "../verification/judgeAnswer.ts"
export { AnswerUnreadable, type ReadAnswer, readCategoryType, readSdcTime, readSignedAnswer, type SdcTime } from "../verification/readSignedAnswer.ts"
export { type SignatureFacts, signedMessage, verifySignature } from "../verification/verifySignature.ts"
export { type FoundReceipt, FoundReceiptRefused, readReceiptFound, type ReadReceipt, receiptFoundByHand } from "../verification/receiptFoundByHand.ts"
export { type DocumentProof, documentProof, type ProofFacts, proofVersion, type ProvenAnswer, type ProvenRequest } from "../proof/documentProof.ts"
export { JournalUnreadable, type PrintedItem, type PrintedReceipt, type PrintedTax, readJournal } from "../receipt-text/readJournal.ts"
