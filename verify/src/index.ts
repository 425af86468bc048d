/** Checks receipts and proofs offline. A host that serves the page imports `@overa/verify/page`. */
export { checkFiles, type GivenFile, largestFile, type ReadQrCode } from "./check/checkFiles.ts"
export type { FileKind, Finding, Report, Subject, Verdict } from "./check/Finding.ts"
export { type Knowledge, nothingKnown } from "./check/Knowledge.ts"
export { readLogKeys, readSignerKey } from "./read/readKey.ts"
export { kindWord, type Language, languages, sentence, verdictWord } from "./words/sentences.ts"
