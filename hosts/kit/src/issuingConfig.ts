import type { NbsConfig } from "@overa/adapter-company-register"
import type { VpfrEnvironment } from "@overa/adapter-vpfr"
import type { Environment, RegistrationQuota } from "@overa/domain"
import { Effect, Redacted } from "effect"
import { hostname } from "node:os"
import { type Level, logLevel } from "./logs.ts"
import { isSafe, optional, optionalAddress, problem, required, wholeNumber } from "./settings.ts"
import { type StoreConfig, storeConfig } from "./storeConfig.ts"
import { vpfrConfig } from "./vpfrConfig.ts"

/** The settings of every host that sends documents to the V-PFR for a waiting caller. */
export interface IssuingConfig extends StoreConfig {
  /** The same at every start of this host, different from every other host's. */
  readonly hostId: string
  readonly vpfr: Partial<Record<Environment, VpfrEnvironment>>
  /** The company register; null where none is configured, and no receipt then has buyer details. */
  readonly companyRegister: NbsConfig | null
  /** Whether the workers have a mail server (`OVERA_SMTP_URL`): deliveries are refused where they have none. */
  readonly mailConfigured: boolean
  /** The number of taxpayers and premises that an organization may register itself, over the API and in the portal, in each environment. */
  readonly registrations: RegistrationQuota
  /** Lines below this level are not logged. Default `info`. */
  readonly logLevel?: Level
}

/** All three settings or none: an address without its login would look like a register that never answers. */
const companyRegister = Effect.gen(function*() {
  const url = yield* optionalAddress("OVERA_NBS_URL")
  if (url === null) return null
  // The login is part of every request.
  if (!isSafe(new URL(url))) return yield* problem(`OVERA_NBS_URL must be an https address outside this machine, not "${url}"`)
  return {
    url,
    userName: yield* required("OVERA_NBS_USER_NAME"),
    password: Redacted.make(yield* required("OVERA_NBS_PASSWORD")),
    licenceId: yield* required("OVERA_NBS_LICENCE_ID")
  } satisfies NbsConfig
})

/** The settings of every host that issues documents; the variables have the same names everywhere. */
export const issuingConfig = Effect.gen(function*() {
  return {
    ...(yield* storeConfig),
    logLevel: yield* logLevel,
    vpfr: yield* vpfrConfig,
    companyRegister: yield* companyRegister,
    mailConfigured: (yield* optional("OVERA_SMTP_URL")) !== null,
    registrations: {
      taxpayers: yield* wholeNumber("OVERA_TAXPAYERS_PER_ORGANIZATION", 50, { from: 0, to: 1_000_000 }),
      premises: yield* wholeNumber("OVERA_PREMISES_PER_ORGANIZATION", 50, { from: 0, to: 1_000_000 })
    }
  }
})

/** The configured name of a host; the machine's name where none is set. */
export const hostIdConfig = (name: string, suffix: string) => Effect.map(optional(name), (given) => given ?? `${hostname()}${suffix}`)
