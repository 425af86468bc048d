export { leavingFiles, leavingPage, LeavingUnknown } from "./leavingFiles.ts"
export type { LeavingCounts, LeavingFile } from "./LeavingFile.ts"
export { tarArchive } from "./tarArchive.ts"
