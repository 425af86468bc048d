import { Option } from "effect"
import type { Environment } from "../tenancy/Environment.ts"

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

/** The prescribed names of advance items in production, each with its only label. Source: Spec, fiscal-documents rule 7. */
const productionLiterals: ReadonlyMap<string, string> = new Map([
  ["10: Аванс (Ђ)", "Ђ"],
  ["11: Аванс (Е)", "Е"],
  ["12: Аванс (Г)", "Г"],
  ["13: Аванс (А)", "А"]
])

const sandboxLiteral = /^10: Аванс \(([^()]+)\)$/u

/**
 * The label of an item whose name is an advance literal of the environment; none for every other name. Compared code point for code
 * point: a look-alike letter makes it an ordinary item.
 *
 * @example advanceLiteralLabel("11: Аванс (Е)", "production") // Option.some("Е")
 */
export const advanceLiteralLabel = (name: string, environment: Environment): Option.Option<string> =>
  environment === "production"
    ? Option.fromNullishOr(productionLiterals.get(name))
    : Option.fromNullishOr(sandboxLiteral.exec(name)?.[1])

/**
 * The literal that names an advance with a label, for the Advance Refund the service composes; none where production prescribes
 * no literal for the label.
 */
export const advanceLiteral = (label: string, environment: Environment): Option.Option<string> => {
  if (environment === "sandbox") return Option.some(`10: Аванс (${label})`)
  const entry = [...productionLiterals].find(([, ofLabel]) => ofLabel === label)
  return Option.fromNullishOr(entry?.[0])
}
