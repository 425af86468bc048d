import { createHash } from "node:crypto"
import { commonPasswordDigests } from "./commonPasswordDigests.ts"

/** As many of the most common passwords of each kind are refused. */
const most = { whole: 10_000, cores: 8_000 } as const

/** What is left of a password without the digits and signs around its letters: `dragon` of `123dragon!`. */
const coreOf = (password: string): string => password.replace(/^[^a-z]+/, "").replace(/[^a-z]+$/, "")

/** The words of a list in the order of how common they are: passwords of eight characters or more, and what is left of others without digits around. */
export const wordsToRefuse = (list: ReadonlyArray<string>): ReadonlyArray<string> => {
  const lower = list.map((word) => word.toLowerCase())
  const whole = [...new Set(lower.filter((word) => word.length >= 8))].slice(0, most.whole)
  const cores = [...new Set(lower.map(coreOf).filter((word) => word.length >= 5))].slice(0, most.cores)
  return [...new Set([...whole, ...cores])]
}

/** Four bytes of SHA-256: of a million other words some four have the digest of a listed one, and are refused as well. */
export const commonPasswordDigest = (word: string): number => createHash("sha256").update(word, "utf8").digest().readUInt32LE(0)

let listed: ReadonlySet<number> | undefined

/** Whether a word is one of the most common passwords; lower case. The list is read at the first call: only hosts where people set passwords need it. */
export const isCommonPassword = (word: string): boolean => {
  if (listed === undefined) {
    const bytes = Buffer.from(commonPasswordDigests, "base64")
    listed = new Set(Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readUInt32LE(at * 4)))
  }
  return listed.has(commonPasswordDigest(word))
}
