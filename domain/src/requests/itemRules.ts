import { BigDecimal, Option } from "effect"
import { advanceLiteralLabel } from "../documents/AdvanceItemLiteral.ts"
import { maximumSignedNameLength, signedItemName } from "../documents/signedItemName.ts"
import type { Environment } from "../tenancy/Environment.ts"
import { isObject, listMember, member, numberMember, textMember } from "./bodyTree.ts"
import type { BodyRule } from "./decodeRequest.ts"
import { type Fault, faultAt } from "./Fault.ts"
import { codePoints } from "./textField.ts"

const one = BigDecimal.fromBigInt(1n)

/** The rules between the fields of each item (Spec, Resources, LineItem; Decisions §1). */
export const itemRules = (environment: Environment): BodyRule => (body) =>
  listMember(body, "items").flatMap((item, index) =>
    isObject(item) ? [...namingFaults(item, index, environment), ...discountFaults(item, index)] : []
  )

const namingFaults = (item: unknown, index: number, environment: Environment): ReadonlyArray<Fault> => {
  const name = textMember(item, "name")
  const label = name === undefined ? Option.none() : advanceLiteralLabel(name, environment)
  return Option.isSome(label) ? advanceFaults(item, index, label.value) : ordinaryFaults(item, index, name, environment)
}

/** An advance literal defines the item: its only label is the one in brackets, its quantity 1 (Decisions §1). */
const advanceFaults = (item: unknown, index: number, label: string): ReadonlyArray<Fault> => {
  const quantity = numberMember(item, "quantity")
  const labels = member(item, "taxLabels")
  const faults: Array<Fault> = []
  if (quantity !== undefined && !BigDecimal.equals(quantity, one)) {
    faults.push(faultAt(["items", index, "quantity"], "must be 1 on an advance item"))
  }
  if (Array.isArray(labels) && (labels.length !== 1 || labels[0] !== label)) {
    faults.push(faultAt(["items", index, "taxLabels"], `must be only ${label}, the label the advance item names`))
  }
  return faults
}

const ordinaryFaults = (
  item: unknown,
  index: number,
  name: string | undefined,
  environment: Environment
): ReadonlyArray<Fault> => {
  const unitOfMeasure = textMember(item, "unitOfMeasure")
  if (member(item, "unitOfMeasure") === undefined) {
    return [faultAt(["items", index, "unitOfMeasure"], "is required on every item but the prescribed advance items")]
  }
  if (name === undefined || unitOfMeasure === undefined) return []
  const signed = signedItemName({ name, unitOfMeasure }, environment)
  return codePoints(name) <= maximumSignedNameLength && codePoints(signed) > maximumSignedNameLength
    ? [faultAt(["items", index, "name"], `must have at most ${maximumSignedNameLength} characters together with /${unitOfMeasure}`)]
    : []
}

const discountFaults = (item: unknown, index: number): ReadonlyArray<Fault> => {
  const price = numberMember(item, "unitPrice")
  const before = numberMember(item, "unitPriceBeforeDiscount")
  return price === undefined || before === undefined || BigDecimal.isGreaterThan(before, price)
    ? []
    : [faultAt(["items", index, "unitPriceBeforeDiscount"], "must be greater than unitPrice")]
}
