import { environmentNames } from "../EnvironmentName.ts"
import {
  endpointNames,
  faultNames,
  type FaultName,
  type FaultOrder,
  isConnectFault,
  isForAnyEndpoint
} from "../faults/Fault.ts"
import { checkFields, ControlRefusal, type FieldRule, type Fields, flag, integerBetween, jid, matching, numberBetween, oneOf, textOf } from "./readControlBody.ts"

const isModelError = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false
  const { errors, property, ...rest } = value as Fields
  return typeof property === "string" && Array.isArray(errors) && errors.every((code) => typeof code === "string") &&
    Object.keys(rest).length === 0
}

const modelState: FieldRule = {
  must: "a list of {property: text, errors: [code, …]} with at least one entry",
  holds: (value) => Array.isArray(value) && value.length > 0 && value.every(isModelError)
}

const rules: Readonly<Record<keyof FaultOrder, FieldRule>> = {
  fault: oneOf(faultNames),
  times: integerBetween(1, 1_000_000_000),
  probability: numberBetween(0, 1),
  seed: integerBetween(0, 2 ** 32 - 1),
  element: jid,
  environment: oneOf(environmentNames),
  endpoint: oneOf([...endpointNames, "all"]),
  ms: integerBetween(-10 * 365 * 86_400_000, 10 * 365 * 86_400_000),
  modelState,
  code: integerBetween(200, 599),
  body: textOf(0, 16 * 1024 * 1024),
  contentType: matching(/^[\x21-\x7e][\x20-\x7e]{0,199}$/, "a media type"),
  sign: flag,
  amount: numberBetween(-1_000_000, 1_000_000)
}

/** The faults that a parameter applies to; with any other fault it is refused rather than ignored. */
const parameterOf: Readonly<Partial<Record<keyof FaultOrder, ReadonlyArray<FaultName>>>> = {
  ms: ["delay", "clock-skew"],
  modelState: ["reject"],
  code: ["status", "html-page"],
  body: ["status"],
  contentType: ["status"],
  sign: ["status", "html-page"],
  amount: ["wrong-amount"]
}

const refusePairing = (order: FaultOrder): void => {
  for (const [parameter, faults] of Object.entries(parameterOf)) {
    if (parameter in order && !faults.includes(order.fault)) {
      throw new ControlRefusal(`The field ${parameter} belongs to ${faults.join(" and ")}, not to ${order.fault}.`)
    }
  }
  if (order.element !== undefined && isConnectFault(order.fault)) {
    throw new ControlRefusal(`${order.fault} cannot be aimed at an element: nobody is known before the TLS handshake. Aim it at an environment.`)
  }
  if (order.endpoint !== undefined && order.endpoint !== "invoices" && !isForAnyEndpoint(order.fault)) {
    throw new ControlRefusal(`${order.fault} strikes only where it belongs; leave endpoint out.`)
  }
}

const requireParameters = (order: FaultOrder): void => {
  if ((order.fault === "delay" || order.fault === "clock-skew") && order.ms === undefined) {
    throw new ControlRefusal(`${order.fault} needs the field ms, in milliseconds.`)
  }
  if (order.fault === "delay" && (order.ms ?? 0) < 0) throw new ControlRefusal("A delay cannot be negative.")
  if (order.fault === "status" && order.code === undefined) throw new ControlRefusal("status needs the field code, an HTTP status.")
  if (order.seed !== undefined && order.probability === undefined) throw new ControlRefusal("seed is of use with probability only.")
  const amount = order.amount
  if (amount !== undefined && (amount === 0 || Number(amount.toFixed(2)) !== amount)) {
    throw new ControlRefusal("The field amount must differ from 0 and have at most two decimals.")
  }
}

/** A fault to activate, from a control request's body; refused with a sentence where it makes no sense. */
export const readFaultOrder = (fields: Fields): FaultOrder => {
  const order = checkFields(fields, rules, ["fault"]) as unknown as FaultOrder
  refusePairing(order)
  requireParameters(order)
  return order
}
