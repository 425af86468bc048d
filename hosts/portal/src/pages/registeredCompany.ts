import { CompanyRegister } from "@overa/domain"
import { Effect, Option } from "effect"

/** The company of a tax identifier; null where none is registered, or the register says nothing for a moment: no page waits longer for it. */
export const registeredCompany = Effect.fnUntraced(function*(taxIdentifier: string) {
  return Option.getOrNull(Option.flatten(yield* Effect.timeoutOption((yield* CompanyRegister).lookup(taxIdentifier), "1 second")))
})
