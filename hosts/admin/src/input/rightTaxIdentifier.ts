import { digitExpectedInTaxIdentifier } from "@overa/domain"
import { Effect } from "effect"
import { Refusal } from "../Refusal.ts"

/** A tax identifier that a person has entered, with its right check digit (docs/adr/0320). */
export const rightTaxIdentifier = (text: string): Effect.Effect<string, Refusal> => {
  const expected = digitExpectedInTaxIdentifier(text)
  return expected === undefined
    ? Effect.succeed(text)
    : Effect.fail(new Refusal({ sentence: `The last digit of ${text} does not fit the others: it should be ${expected}. Check every digit.` }))
}
