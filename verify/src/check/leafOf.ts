import { type EntryFile, type JsonRecord, recordOf } from "../read/readProof.ts"

/** A leaf's members; null where it is no JSON object. */
export const leafOf = ({ leaf }: EntryFile): JsonRecord | null => {
  try {
    return recordOf(JSON.parse(leaf))
  } catch {
    return null // JSON.parse has no other way to say "no JSON"
  }
}
