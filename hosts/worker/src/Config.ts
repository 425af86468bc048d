import { readFileSync } from "node:fs"
import { hostname } from "node:os"
import { type MailConnection, smtpServerOf } from "@overa/adapter-mail"
import type { VpfrEnvironment } from "@overa/adapter-vpfr"
import { type Environment, recipientFault } from "@overa/domain"
import { Config, Effect, Option, Redacted, Schema } from "effect"

/** Everything a worker is told. The names are the REST host's, so that one file of variables serves both. */
export interface WorkerConfig {
  readonly databaseUrl: Redacted.Redacted
  /** `keyId:base64,…`: the first encrypts, all decrypt. */
  readonly encryptionKeys: Redacted.Redacted
  /** The key of the credentials' digests, 32 bytes. */
  readonly credentialKey: Redacted.Redacted<Uint8Array>
  /** The same at every start of this worker, different from every other process's. */
  readonly hostId: string
  readonly vpfr: Partial<Record<Environment, VpfrEnvironment>>
  /** Null where no mail server is configured; nothing is then sent, and the REST hosts queue nothing. */
  readonly mail: MailConnection | null
}

/** A setting is missing or malformed: the start ends with this one line. */
export class ConfigProblem extends Schema.TaggedError<ConfigProblem>()("ConfigProblem", { line: Schema.String }) {
  override get message(): string {
    return this.line
  }
}

const problem = (line: string) => Effect.fail(new ConfigProblem({ line }))

const optional = (name: string): Effect.Effect<string | null, ConfigProblem> =>
  Config.String(name).pipe(
    Config.option,
    Effect.map(Option.match({ onNone: () => null, onSome: (text) => text === "" ? null : text })),
    Effect.mapError((error) => new ConfigProblem({ line: `${name}: ${error.message}` }))
  )

const required = (name: string): Effect.Effect<string, ConfigProblem> =>
  Effect.flatMap(optional(name), (text) => text === null ? problem(`${name} is missing`) : Effect.succeed(text))

const key32 = (name: string) =>
  Effect.flatMap(required(name), (text) => {
    const bytes = Buffer.from(text, "base64")
    return bytes.length === 32
      ? Effect.succeed(Redacted.make<Uint8Array>(bytes))
      : problem(`${name} must be 32 bytes in base64; it has ${bytes.length}`)
  })

const fileText = (name: string, path: string) =>
  Effect.try({
    try: () => readFileSync(path, "utf8"),
    catch: () => new ConfigProblem({ line: `${name}: the file ${path} cannot be read` })
  })

const httpsAddress = (name: string, text: string) =>
  URL.canParse(text) && new URL(text).protocol === "https:"
    ? Effect.succeed(text.replace(/(?<!\/)\/+$/, ""))
    : problem(`${name} must be an https address, not "${text}"`)

const vpfrEnvironment = Effect.fnUntraced(function*(environment: "SANDBOX" | "PRODUCTION") {
  const urlName = `OVERA_VPFR_${environment}_URL`
  const caName = `OVERA_VPFR_${environment}_CA_FILE`
  const url = yield* optional(urlName)
  if (url === null) return null
  const baseUrl = yield* httpsAddress(urlName, url)
  const trustAnchors = yield* fileText(caName, yield* required(caName))
  return { baseUrl, trustAnchors, verificationRoot: yield* optional(`OVERA_VPFR_${environment}_VERIFICATION_ROOT`) }
})

const mail = Effect.gen(function*() {
  const url = yield* optional("OVERA_SMTP_URL")
  if (url === null) return null
  const sender = yield* required("OVERA_MAIL_SENDER")
  const fault = recipientFault(sender)
  if (fault !== undefined) return yield* problem(`OVERA_MAIL_SENDER ${fault}`)
  const caFile = yield* optional("OVERA_SMTP_CA_FILE")
  const trustAnchors = caFile === null ? null : yield* fileText("OVERA_SMTP_CA_FILE", caFile)
  const connection: MailConnection = { url: Redacted.make(url), sender, trustAnchors }
  yield* Effect.try({
    try: () => smtpServerOf(connection.url),
    catch: (cause) => new ConfigProblem({ line: `OVERA_SMTP_URL: ${(cause as Error).message}` })
  })
  return connection
})

/** Reads the environment. The first missing or malformed value ends it with one line that names it (Decisions §8). */
export const workerConfig: Effect.Effect<WorkerConfig, ConfigProblem> = Effect.gen(function*() {
  const sandbox = yield* vpfrEnvironment("SANDBOX")
  const production = yield* vpfrEnvironment("PRODUCTION")
  return {
    databaseUrl: Redacted.make(yield* required("DATABASE_URL")),
    encryptionKeys: Redacted.make(yield* required("OVERA_SECRET_KEYS")),
    credentialKey: yield* key32("OVERA_CREDENTIAL_KEY"),
    hostId: (yield* optional("OVERA_WORKER_ID")) ?? `${hostname()} worker`,
    vpfr: { ...(sandbox === null ? {} : { sandbox }), ...(production === null ? {} : { production }) },
    mail: yield* mail
  }
})
