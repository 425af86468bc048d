import { base64Of, type LogPlace } from "@overa/domain"

/** Where a document is in the log, hashes in base64 (Decisions §17). */
export const logPlaceJson = ({ checkpoint, entries, origin, publicKey }: LogPlace) => ({
  origin,
  publicKey,
  checkpoint,
  entries: entries.map(({ inclusion, index, leaf }) => ({ index, leaf, inclusion: inclusion.map(base64Of) }))
})
