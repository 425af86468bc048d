import { Option } from "effect"
import type { Environment } from "../tenancy/Environment.ts"
import { advanceLiteralLabel } from "./AdvanceItemLiteral.ts"

/** The most characters of a name as signed, unit included (Decisions §1, Bounds; V-PFR §2). */
export const maximumSignedNameLength = 2048

/**
 * An item's name as it is signed: `name/unit`, or the advance literal byte for byte (Spec, fiscal-documents rules 4 and 7).
 *
 * @example signedItemName({ name: "Хлеб", unitOfMeasure: "kom" }, "production") // "Хлеб/kom"
 */
export const signedItemName = (
  item: { readonly name: string; readonly unitOfMeasure: string | null },
  environment: Environment
): string =>
  item.unitOfMeasure === null || Option.isSome(advanceLiteralLabel(item.name, environment))
    ? item.name
    : `${item.name}/${item.unitOfMeasure}`
