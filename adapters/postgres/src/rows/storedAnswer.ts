import { isJsonObject, type JsonObject, SignedAnswer } from "@overa/domain"
import { Schema, Struct } from "effect"
import { parseStoredJson, storableText, toStoredJson } from "./storedJson.ts"

// An answer is its exact text, kept as evidence, and the facts read from it. Journal, link, internal data and signature make up most
// of both, so they are stored once: what the text's member of that name says, character for character, is left out of the facts and
// taken from the text again.

const membersOf = (text: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {} // JSON.parse has no other way to say "not JSON"
  }
}

/** What was read from an answer, without what its text says itself. */
export const encodeAnswerFacts = ({ text, ...facts }: SignedAnswer): string => {
  const said = membersOf(storableText(text))
  const unlessSaid = (name: string, value: string | null) => (said[name] === value ? undefined : value)
  return toStoredJson({
    ...facts,
    encryptedInternalData: unlessSaid("encryptedInternalData", facts.encryptedInternalData),
    signature: unlessSaid("signature", facts.signature),
    pfr: {
      ...facts.pfr,
      verificationUrl: unlessSaid("verificationUrl", facts.pfr.verificationUrl),
      journal: unlessSaid("journal", facts.pfr.journal)
    }
  })
}

const validate = Schema.decodeUnknownSync(Schema.toType(SignedAnswer))

/**
 * The answer two columns hold. What does not fit is a defect: only this service writes the columns, so a misfit means a release that
 * cannot read its own past.
 */
export const decodeAnswer = (text: string, facts: string): SignedAnswer => {
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
