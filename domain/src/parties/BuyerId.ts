/** The prefixes of a buyer's identification and the form of what follows. Source: Spec, Buyer identification; Decisions §1. */
const nineDigits = { form: /^\d{9}$/u, says: "nine digits" }
const thirteenDigits = { form: /^\d{13}$/u, says: "thirteen digits" }
const printable = { form: /^[^\p{C}\p{Zl}\p{Zp}]{1,17}$/u, says: "1 to 17 printable characters" }

const formOfPrefix: ReadonlyMap<string, { readonly form: RegExp; readonly says: string }> = new Map([
  ["10", nineDigits],
  ["11", thirteenDigits],
  ["12", { form: /^\d{9}:\d{1,10}$/u, says: "nine digits, a colon and 1 to 10 digits" }],
  ["13", printable],
  ["14", nineDigits],
  ["15", thirteenDigits],
  ["16", printable],
  ["20", printable],
  ["21", printable],
  ["22", printable],
  ["23", printable],
  ["30", printable],
  ["31", printable],
  ["32", printable],
  ["33", printable],
  ["34", printable],
  ["35", printable],
  ["36", printable],
  ["40", printable]
])

/** Every prefix a buyer's identification may carry. */
export const buyerIdPrefixes: ReadonlyArray<string> = [...formOfPrefix.keys()]

/**
 * What is wrong with the form of a buyer's identification, or undefined. A wrong check digit is not a wrong form.
 *
 * @example buyerIdFault("10:12345") // "must be nine digits after 10:"
 */
export const buyerIdFault = (id: string): string | undefined => {
  const prefix = id.slice(0, 2)
  const rule = formOfPrefix.get(prefix)
  if (rule === undefined || id.charAt(2) !== ":") {
    return `must be prefix:value with one of the prefixes ${buyerIdPrefixes.join(", ")}`
  }
  return rule.form.test(id.slice(3)) ? undefined : `must be ${rule.says} after ${prefix}:`
}
