import { notFoundForms } from "./Simulation.ts"
import { headerForms } from "./receipts/journalText.ts"
import { labelOrders } from "./taxes/taxItems.ts"
import type { SimulatorOptions } from "./SimulatorOptions.ts"

/** A setting that cannot be used; the message names the variable. */
export class ConfigFault extends Error {}

type Variables = Readonly<Record<string, string | undefined>>

const prefix = "OVERA_SIMULATOR_"

const integer = (variables: Variables, name: string, fallback: number, minimum: number, maximum: number): number => {
  const text = variables[prefix + name]
  if (text === undefined || text === "") return fallback
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (value >= minimum && value <= maximum) return value
  throw new ConfigFault(`${prefix}${name} must be a whole number from ${minimum} to ${maximum}, not "${text}".`)
}

const port = (variables: Variables, name: string, fallback: number): number => integer(variables, name, fallback, 0, 65535)

const choice = <A extends string>(variables: Variables, name: string, allowed: ReadonlyArray<A>, fallback: A): A => {
  const text = variables[prefix + name]
  if (text === undefined || text === "") return fallback
  const found = allowed.find((value) => value === text)
  if (found !== undefined) return found
  throw new ConfigFault(`${prefix}${name} must be one of ${allowed.join(", ")}, not "${text}".`)
}

const root = (variables: Variables, name: string): { readonly verificationRoot?: string } => {
  const text = variables[prefix + name]
  if (text === undefined || text === "") return {}
  if (/^https?:\/\/\S+\/v\/\?vl=$/.test(text)) return { verificationRoot: text }
  throw new ConfigFault(`${prefix}${name} must be an address that ends in /v/?vl=, not "${text}".`)
}

/** Options of the process from its environment variables; the README lists them. */
export const readConfig = (variables: Variables): SimulatorOptions => ({
  dataDirectory: variables[`${prefix}DATA`] || ".overa/simulator",
  host: variables[`${prefix}HOST`] || "127.0.0.1",
  hostNames: (variables[`${prefix}HOST_NAMES`] ?? "").split(",").map((name) => name.trim()).filter((name) => name !== ""),
  controlPort: port(variables, "CONTROL_PORT", 7490),
  environments: {
    sandbox: {
      port: port(variables, "SANDBOX_PORT", 7443),
      verificationPort: port(variables, "SANDBOX_VERIFICATION_PORT", 7480),
      ...root(variables, "SANDBOX_VERIFICATION_ROOT")
    },
    production: {
      port: port(variables, "PRODUCTION_PORT", 7444),
      verificationPort: port(variables, "PRODUCTION_VERIFICATION_PORT", 7481),
      ...root(variables, "PRODUCTION_VERIFICATION_ROOT")
    }
  },
  signers: integer(variables, "SIGNERS", 3, 1, 20),
  clientCertificate: choice(variables, "CLIENT_CERTIFICATE", ["handshake", "renegotiation"], "handshake"),
  notFoundForm: choice(variables, "NOT_FOUND", notFoundForms, "200-null"),
  headerForm: choice(variables, "HEADER_FORM", headerForms, "centred"),
  labelOrder: choice(variables, "LABEL_ORDER", labelOrders, "first-use"),
  internalDataBytes: choice(variables, "INTERNAL_DATA_BYTES", ["256", "512"], "256") === "512" ? 512 : 256,
  paymentDecimals: choice(variables, "PAYMENT_DECIMALS", ["2", "4"], "2") === "4" ? 4 : 2
})

/** Whether the process must end when its parent process ends. */
export const stopsWithParent = (variables: Variables): boolean => variables[`${prefix}STOP_WITH_PARENT`] === "1"
