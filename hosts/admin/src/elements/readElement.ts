import { chainsToRoot, type ElementFile, readPfx } from "@overa/adapter-vpfr"
import { type ElementFacts, type Environment, Oversight } from "@overa/domain"
import { DateTime, Effect, Redacted } from "effect"
import type { AdminConfig } from "../AdminConfig.ts"
import type { Input } from "../input/Input.ts"
import { fileBytes, secret } from "../input/readFiles.ts"
import { Refusal } from "../Refusal.ts"

/** Where an element is to be used, as far as its file can be compared with it. */
export interface ElementTarget {
  readonly environment: Environment
  readonly taxIdentifier: string
}

/** What was read, and what the operator should know though it is no reason to refuse. */
export interface CheckedElement {
  readonly facts: ElementFacts
  readonly notes: ReadonlyArray<string>
}

const refuse = (sentence: string) => Effect.fail(new Refusal({ sentence }))

/** The roots elements of an environment may come from: the configured file's, and those added since. */
export const trustedRoots = Effect.fnUntraced(function*(config: AdminConfig, environment: Environment) {
  const keys = yield* (yield* Oversight).referenceKeys
  const added = keys.filter((key) => key.kind === "TRUST_ROOT" && key.environment === environment).map((key) => key.pem)
  return [config.vpfr[environment]?.trustAnchors ?? "", ...added].join("\n")
})

const otherOf = (environment: Environment): Environment => environment === "sandbox" ? "production" : "sandbox"

const shownDay = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

const checkDates = (file: ElementFile, now: number) => {
  if (file.facts.validTo <= now) return refuse(`The certificate has expired on ${shownDay(file.facts.validTo)}.`)
  return file.facts.validFrom > now ? refuse(`The certificate is valid only from ${shownDay(file.facts.validFrom)}.`) : Effect.void
}

/** Decisions §4, Trust: whatever the file says of itself, only the operator's roots decide where it comes from. */
const checkChain = Effect.fnUntraced(function*(config: AdminConfig, file: ElementFile, environment: Environment, now: number) {
  const roots = yield* trustedRoots(config, environment)
  if (roots.trim() === "") return yield* refuse(`No root is configured for ${environment}; set OVERA_VPFR_${environment.toUpperCase()}_CA_FILE.`)
  if (chainsToRoot(file.certificateChainPem, roots, now)) return
  const other = otherOf(environment)
  const belongsThere = chainsToRoot(file.certificateChainPem, yield* trustedRoots(config, other), now)
  return yield* refuse(
    belongsThere
      ? `This is an element of ${other}, the premise is in ${environment}.`
      : `The certificate does not come from a root configured for ${environment}.`
  )
})

/** In production the certificate names the taxpayer; in the sandbox it may name a stand-in (Spec, Authentication 9). */
const checkTin = (file: ElementFile, { environment, taxIdentifier }: ElementTarget) => {
  const { tin } = file.facts
  if (environment === "sandbox" || tin === taxIdentifier) return Effect.void
  return refuse(tin === null ? "The certificate names no tax identifier." : `The element is issued to ${tin}, the taxpayer is ${taxIdentifier}.`)
}

const addressNotes = (file: ElementFile, config: AdminConfig, environment: Environment): ReadonlyArray<string> => {
  const configured = config.vpfr[environment]?.baseUrl
  const named = file.facts.vsdcUrl
  if (named === null || configured === undefined || !URL.canParse(named) || new URL(named).origin === new URL(configured).origin) return []
  return [`The certificate names the V-PFR ${named}; the configured one, ${configured}, is used.`]
}

/** Reads a PFX with its password and PAC and holds it to its place: dates, chain, environment, tax identifier. Stores nothing. */
export const readElement = Effect.fn("readElement")(function*(input: Input, path: string, target: ElementTarget) {
  const bytes = yield* fileBytes(path)
  const password = yield* secret(input, { option: "passwordFile", flag: "--password-file", variable: "OVERA_PFX_PASSWORD", name: "PFX password" })
  const pac = yield* secret(input, { option: "pacFile", flag: "--pac-file", variable: "OVERA_PFX_PAC", name: "PAC" })
  if (!/^[A-Za-z0-9]{6}$/.test(Redacted.value(pac))) return yield* refuse("The PAC has six letters or digits; what was given has not.")
  const file = yield* readPfx(bytes, password)
  const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
  yield* checkDates(file, now)
  yield* checkChain(input.config, file, target.environment, now)
  yield* checkTin(file, target)
  const facts: ElementFacts = {
    jid: file.facts.jid,
    tin: file.facts.tin ?? target.taxIdentifier,
    subject: file.facts.subject,
    issuer: file.facts.issuer,
    serialNumber: file.facts.serialNumber,
    fingerprintSha256: file.facts.fingerprintSha256,
    validFrom: DateTime.makeUnsafe(file.facts.validFrom),
    validTo: DateTime.makeUnsafe(file.facts.validTo),
    privateKey: Redacted.make(file.privateKeyPem),
    certificateChain: file.certificateChainPem,
    pac
  }
  const checked: CheckedElement = { facts, notes: addressNotes(file, input.config, target.environment) }
  return checked
})
