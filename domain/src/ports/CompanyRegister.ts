import { Context, type Effect, type Option } from "effect"
import type { BuyerDetails } from "../parties/Buyer.ts"

/**
 * The national company register. It is asked in parallel with the submission, and nothing waits for it: no answer, a slow answer or no company found
 * all mean that there are no details (Spec, Resources, BuyerDetails). Never fails.
 */
export class CompanyRegister extends Context.Service<CompanyRegister, {
  readonly lookup: (taxIdentifier: string) => Effect.Effect<Option.Option<BuyerDetails>>
}>()("@overa/domain/ports/CompanyRegister") {}
