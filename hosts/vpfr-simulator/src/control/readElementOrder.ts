import type { IssueElement } from "../certificates/Element.ts"
import { environmentNames } from "../EnvironmentName.ts"
import { checkFields, ControlRefusal, type FieldRule, type Fields, jid, matching, oneOf, textOf } from "./readControlBody.ts"

const instant: FieldRule = {
  must: "a date and time with offset, 2026-01-31T12:00:00Z",
  holds: (value) => typeof value === "string" && /T/.test(value) && /(?:Z|[+-]\d{2}:\d{2})$/.test(value) && !Number.isNaN(Date.parse(value))
}

const printable = /^[^\p{Cc}]+$/u

const rules: Readonly<Record<keyof IssueElement, FieldRule>> = {
  environment: oneOf(environmentNames),
  businessName: textOf(1, 200),
  tin: matching(/^\d{9}$/, "nine digits"),
  locationName: textOf(1, 200),
  address: textOf(1, 200),
  city: textOf(1, 100),
  district: textOf(1, 100),
  surname: textOf(1, 100),
  givenName: textOf(1, 100),
  pfxFlavour: oneOf(["modern", "3des", "rc2-40"]),
  notBefore: instant,
  notAfter: instant,
  sameKeyAs: jid
}

/** The subject of an element to issue, from a control request's body. */
export const readElementOrder = (fields: Fields): IssueElement => {
  const given = checkFields(fields, rules, ["environment", "businessName", "tin", "locationName", "address", "city"])
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === "string" && !printable.test(value)) throw new ControlRefusal(`The field ${name} must not hold control characters.`)
  }
  const times = Object.fromEntries(
    ["notBefore", "notAfter"].filter((name) => name in given).map((name) => [name, Date.parse(String(given[name]))])
  )
  const order = { ...given, ...times } as unknown as IssueElement
  if (order.notBefore !== undefined && order.notAfter !== undefined && order.notBefore >= order.notAfter) {
    throw new ControlRefusal("notAfter must lie behind notBefore.")
  }
  return order
}
