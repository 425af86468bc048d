import { Context, type Effect, type Option } from "effect"
import type { BuyerDetails } from "../parties/BuyerDetails.ts"

/**
 * The national company register. Asked beside the submission and never waited for: no answer, a slow one or none found are all
 * simply no details (Spec, Resources, BuyerDetails). Never fails.
 */
export class CompanyRegister extends Context.Service<CompanyRegister, {
  readonly lookup: (taxIdentifier: string) => Effect.Effect<Option.Option<BuyerDetails>>
}>()("@overa/domain/ports/CompanyRegister") {}
