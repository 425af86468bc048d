import { isJsonObject, type JsonObject, SignedAnswer } from "@overa/domain"
import { Schema, Struct } from "effect"
import { unpackAnswer } from "./packedAnswer.ts"
import { parseStoredJson, storableText, toStoredJson } from "./storedJson.ts"

const linkMember = "\"verificationUrl\""
// A text of JSON without escapes, but for the slash, which some writers escape.
// oxlint-disable-next-line no-control-regex
const linkValue = /\s*:\s*"((?:[^"\\\u0000-\u001F]|\\\/)*)"/y

/**
 * The verification link in an answer's text, found without parsing the whole text. Null where it is not written in the usual form.
 * `encodeAnswerFacts` leaves the link to the text only where this function finds it there.
 */
export const verificationUrlIn = (text: string): string | null => {
  const at = text.indexOf(linkMember)
  if (at < 0) return null
  linkValue.lastIndex = at + linkMember.length
  return linkValue.exec(text)?.[1]?.replaceAll("\\/", "/") ?? null
}

// An answer is its exact text, kept as evidence, and the facts read from it. Journal, link, internal data and signature are most of both, so they are
// stored once: a value that equals the text's member of that name, character for character, is left out of the facts and read from the text again.

const membersOf = (text: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {} // JSON.parse has no other way to say "not JSON"
  }
}

/** The facts of an answer, without those that its text contains. */
export const encodeAnswerFacts = ({ text, ...facts }: SignedAnswer): string => {
  const stored = storableText(text)
  const said = membersOf(stored)
  const unlessSaid = (name: string, value: string | null) => (said[name] === value ? undefined : value)
  const { verificationUrl } = facts.pfr
  return toStoredJson({
    ...facts,
    encryptedInternalData: unlessSaid("encryptedInternalData", facts.encryptedInternalData),
    signature: unlessSaid("signature", facts.signature),
    pfr: {
      ...facts.pfr,
      verificationUrl: verificationUrlIn(stored) === verificationUrl ? unlessSaid("verificationUrl", verificationUrl) : verificationUrl,
      journal: unlessSaid("journal", facts.pfr.journal)
    }
  })
}

const validate = Schema.decodeUnknownSync(Schema.toType(SignedAnswer))

/** The answer in two columns. A mismatch is a defect: only this service writes the columns, so it means that a release cannot read its own data. */
export const decodeAnswer = (packed: string, facts: string): SignedAnswer => {
  const text = unpackAnswer(packed)
  const said = membersOf(text)
  const stored = parseStoredJson(facts) as JsonObject
  const pfr = stored["pfr"] as JsonObject
  return validate({
    text,
    ...Struct.pick(said, ["encryptedInternalData", "signature"]),
    ...stored,
    pfr: { ...Struct.pick(said, ["verificationUrl", "journal"]), ...pfr }
  })
}
