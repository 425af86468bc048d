import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { VpfrEnvironment } from "@overa/adapter-vpfr"
import type { Environment } from "@overa/domain"
import { type ConfigProblem, optional, type StoreConfig, storeConfig, vpfrConfig } from "@overa/host-kit"
import { mailConfig, type MailConnection } from "@overa/host-kit/mail"
import { ConfigProvider, Effect, Result, Schema } from "effect"
import { Trouble } from "./Refusal.ts"

/** The settings of the command. The variables have the hosts' names, so that one file of variables serves all. */
export interface AdminConfig extends StoreConfig {
  readonly vpfr: Partial<Record<Environment, VpfrEnvironment>>
  readonly mail: MailConnection | null
  /** Whether the workers have a mail server: people are then told of acts that concern their accounts. */
  readonly mailConfigured: boolean
  /** Whether the settings are those that the sandbox wrote beside its data. */
  readonly isSandbox: boolean
}

type Variables = Readonly<Record<string, string | undefined>>

const VariablesFile = Schema.fromJsonString(Schema.Record(Schema.String, Schema.String))

const problem = (sentence: string): never => {
  throw new Trouble({ sentence })
}

/** The sandbox writes its own variables to a file that only its owner may read. */
const sandboxVariables = (environment: Variables): Variables => {
  const home = resolve(environment["OVERA_HOME"] || ".overa")
  const file = join(home, "admin.json")
  if (!existsSync(file)) {
    return problem(`DATABASE_URL is missing, and there is no sandbox in ${home}: start one with npm start, or set the hosts' variables.`)
  }
  const read = Schema.decodeUnknownResult(VariablesFile)(readFileSync(file, "utf8"))
  return Result.isSuccess(read) ? read.success : problem(`${file} is damaged; the next npm start writes it anew.`)
}

const settings: Effect.Effect<Omit<AdminConfig, "isSandbox">, ConfigProblem> = Effect.gen(function*() {
  // Only the rehearsal connects to the mail server; every other command works without the sender's address.
  const mail = (yield* optional("OVERA_MAIL_SENDER")) === null ? null : yield* mailConfig
  return { ...(yield* storeConfig), vpfr: yield* vpfrConfig, mail, mailConfigured: (yield* optional("OVERA_SMTP_URL")) !== null }
})

/**
 * The settings: the hosts' environment variables, or where DATABASE_URL is not set, those of the sandbox in OVERA_HOME.
 *
 * @throws Trouble with one sentence that names what is missing
 */
export const adminConfig = (environment: Variables): AdminConfig => {
  const isSandbox = !environment["DATABASE_URL"]
  const variables = isSandbox ? sandboxVariables(environment) : environment
  const read = Effect.runSync(Effect.result(Effect.provideService(settings, ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(variables))))
  return Result.isSuccess(read) ? { ...read.success, isSandbox } : problem(`${read.failure.line}.`)
}
