import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { VpfrEnvironment } from "@overa/adapter-vpfr"
import type { Environment } from "@overa/domain"
import { Redacted, Result, Schema } from "effect"
import { Trouble } from "./Refusal.ts"

/** What the command is told; the names are the hosts', so that one file of variables serves all. */
export interface AdminConfig {
  readonly databaseUrl: Redacted.Redacted
  /** `keyId:base64,…`: the first encrypts, all decrypt. */
  readonly encryptionKeys: Redacted.Redacted
  /** The key of the credentials' digests, 32 bytes. */
  readonly credentialKey: Redacted.Redacted<Uint8Array>
  readonly vpfr: Partial<Record<Environment, VpfrEnvironment>>
}

type Variables = Readonly<Record<string, string | undefined>>

const VariablesFile = Schema.fromJsonString(Schema.Record(Schema.String, Schema.String))

const problem = (sentence: string): never => {
  throw new Trouble({ sentence })
}

/** The sandbox leaves its own variables in a file only its owner may read. */
const sandboxVariables = (environment: Variables): Variables => {
  const home = resolve(environment["OVERA_HOME"] || ".overa")
  const file = join(home, "admin.json")
  if (!existsSync(file)) {
    return problem(`DATABASE_URL is missing, and there is no sandbox in ${home}: start one with npm start, or set the hosts' variables.`)
  }
  const read = Schema.decodeUnknownResult(VariablesFile)(readFileSync(file, "utf8"))
  return Result.isSuccess(read) ? read.success : problem(`${file} is damaged; the next npm start writes it anew.`)
}

const required = (variables: Variables, name: string): string => variables[name] || problem(`${name} is missing.`)

const fileText = (name: string, path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return problem(`${name}: the file ${path} cannot be read.`)
  }
}

const vpfrOf = (variables: Variables, name: "SANDBOX" | "PRODUCTION"): VpfrEnvironment | null => {
  const baseUrl = variables[`OVERA_VPFR_${name}_URL`]
  if (!baseUrl) return null
  const caName = `OVERA_VPFR_${name}_CA_FILE`
  return {
    baseUrl: baseUrl.replace(/(?<!\/)\/+$/, ""),
    trustAnchors: fileText(caName, required(variables, caName)),
    verificationRoot: variables[`OVERA_VPFR_${name}_VERIFICATION_ROOT`] || null
  }
}

const credentialKeyOf = (text: string): Redacted.Redacted<Uint8Array> => {
  const bytes = Buffer.from(text, "base64")
  return bytes.length === 32
    ? Redacted.make<Uint8Array>(bytes)
    : problem(`OVERA_CREDENTIAL_KEY must be 32 bytes in base64; it has ${bytes.length}.`)
}

/**
 * The settings: the hosts' environment variables, or where DATABASE_URL is not set, those of the sandbox in OVERA_HOME.
 *
 * @throws Trouble with one sentence that names what is missing
 */
export const adminConfig = (environment: Variables): AdminConfig => {
  const variables = environment["DATABASE_URL"] ? environment : sandboxVariables(environment)
  const sandbox = vpfrOf(variables, "SANDBOX")
  const production = vpfrOf(variables, "PRODUCTION")
  return {
    databaseUrl: Redacted.make(required(variables, "DATABASE_URL")),
    encryptionKeys: Redacted.make(required(variables, "OVERA_SECRET_KEYS")),
    credentialKey: credentialKeyOf(required(variables, "OVERA_CREDENTIAL_KEY")),
    vpfr: { ...(sandbox === null ? {} : { sandbox }), ...(production === null ? {} : { production }) }
  }
}
