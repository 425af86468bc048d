import { Context, type Effect, type Option } from "effect"
import type { BuyerDetails } from "../parties/Buyer.ts"

/**
 * The national company register. A receipt waits for it a second at most before it is sent (docs/adr/0214): no answer, a slower answer than the
 * V-PFR's or no company found all mean that there are no details (Spec, Resources, BuyerDetails). Never fails.
 */
export class CompanyRegister extends Context.Service<CompanyRegister, {
  readonly lookup: (taxIdentifier: string) => Effect.Effect<Option.Option<BuyerDetails>>
}>()("@overa/domain/ports/CompanyRegister") {}
