import { Option } from "effect"
import { hasRightCheckDigit, taxIdentifierIn } from "./digitExpectedInTaxIdentifier.ts"

/**
 * The tax identifier for which the company register is asked: of a domestic company, whose name and address the register knows (Spec, Resources,
 * BuyerDetails), with a right check digit. A wrong check digit is not refused; the register is only not asked (Decisions §1).
 */
export const registerTaxIdentifier = (buyerId: string | null): Option.Option<string> => {
  const identifier = taxIdentifierIn(buyerId ?? "") ?? ""
  return hasRightCheckDigit(identifier) ? Option.some(identifier) : Option.none()
}
