/** Checks receipts and proofs offline, in Node and in browsers. A host that serves the page imports `@overa/verify/page`. */
export type { Finding, Subject, Verdict } from "./check/Finding.ts"
export type { Outcome } from "./check/outcome.ts"
export { type Verification, verifyExport, type VerifyOptions, verifyProof, verifyReceipt } from "./verify.ts"
export { type Language, languages, sentence, verdictWord } from "./words/sentences.ts"
