/** The checker of whole files, for the hosts of this checkout: PDFs, pictures, keys among the files. */
export { checkFiles } from "./check/checkFiles.ts"
export type { Finding, Verdict } from "./check/Finding.ts"
export { type Knowledge, nothingKnown } from "./check/Knowledge.ts"
export { readLogKeys } from "./read/readKey.ts"
export { sentence, verdictWord } from "./words/sentences.ts"
