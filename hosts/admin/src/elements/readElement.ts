import { elementFacts, elementFault, type ElementFault, type ElementFile, type ElementTarget, isPac, readPfx, trustedRoots } from "@overa/adapter-vpfr"
import type { ElementFacts, Environment } from "@overa/domain"
import { Effect, Redacted } from "effect"
import type { AdminConfig } from "../AdminConfig.ts"
import type { Input } from "../input/Input.ts"
import { fileBytes, secret } from "../input/readFiles.ts"
import { Refusal } from "../Refusal.ts"

/** The element as read, and remarks for the operator that are no reason to refuse it. */
export interface CheckedElement {
  readonly facts: ElementFacts
  readonly notes: ReadonlyArray<string>
}

const refuse = (sentence: string) => Effect.fail(new Refusal({ sentence }))

const shownDay = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

/** The sentence about a file that does not fit. */
const faultSentence = (fault: ElementFault, { environment, taxIdentifier }: ElementTarget): string => {
  switch (fault._tag) {
    case "Expired":
      return `The certificate has expired on ${shownDay(fault.atMillis)}.`
    case "NotYetValid":
      return `The certificate is valid only from ${shownDay(fault.fromMillis)}.`
    case "NoRoots":
      return `No root is configured for ${environment}; set OVERA_VPFR_${environment.toUpperCase()}_CA_FILE.`
    case "OtherEnvironment":
      return `This is an element of ${fault.environment}, the premise is in ${environment}.`
    case "ForeignRoot":
      return `The certificate does not come from a root configured for ${environment}.`
    case "NoTin":
      return "The certificate names no tax identifier."
    case "OtherTin":
      return `The element is issued to ${fault.tin}, the taxpayer is ${taxIdentifier}.`
  }
}

const addressNotes = (file: ElementFile, config: AdminConfig, environment: Environment): ReadonlyArray<string> => {
  const configured = config.vpfr[environment]?.baseUrl
  const named = file.facts.vsdcUrl
  if (named === null || configured === undefined || !URL.canParse(named) || new URL(named).origin === new URL(configured).origin) return []
  return [`The certificate names the V-PFR ${named}; the configured one, ${configured}, is used.`]
}

/** Reads a PFX with its password and PAC and compares it with its place: dates, chain, environment, tax identifier. Stores nothing. */
export const readElement = Effect.fn("readElement")(function*(input: Input, path: string, target: ElementTarget) {
  const bytes = yield* fileBytes(path)
  const password = yield* secret(input, { option: "passwordFile", flag: "--password-file", variable: "OVERA_PFX_PASSWORD", name: "PFX password" })
  const pac = yield* secret(input, { option: "pacFile", flag: "--pac-file", variable: "OVERA_PFX_PAC", name: "PAC" })
  if (!isPac(Redacted.value(pac))) return yield* refuse("The PAC has six letters or digits; the given one does not.")
  const file = yield* readPfx(bytes, password)
  const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
  const fault = elementFault(file, target, yield* trustedRoots(input.config.vpfr), now)
  if (fault !== null) return yield* refuse(faultSentence(fault, target))
  const checked: CheckedElement = { facts: elementFacts(file, pac, target.taxIdentifier), notes: addressNotes(file, input.config, target.environment) }
  return checked
})
