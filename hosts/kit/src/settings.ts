import { Config, Effect, Option, Schema } from "effect"
import { X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"

/** A setting is missing or malformed: the start ends with this one line. */
export class ConfigProblem extends Schema.TaggedError<ConfigProblem>()("ConfigProblem", { line: Schema.String }) {
  override get message(): string {
    return this.line
  }
}

/** Ends the start with one line, which names the setting. */
export const problem = (line: string) => Effect.fail(new ConfigProblem({ line }))

/** The setting's text; null where it is absent or empty. */
export const optional = (name: string): Effect.Effect<string | null, ConfigProblem> =>
  Config.String(name).pipe(
    Config.option,
    Effect.map(Option.match({ onNone: () => null, onSome: (text) => text === "" ? null : text })),
    Effect.mapError((error) => new ConfigProblem({ line: `${name}: ${error.message}` }))
  )

export const required = (name: string): Effect.Effect<string, ConfigProblem> =>
  Effect.flatMap(optional(name), (text) => text === null ? problem(`${name} is missing`) : Effect.succeed(text))

export const wholeNumber = (name: string, fallback: number, range: { readonly from: number; readonly to: number }) =>
  Effect.flatMap(optional(name), (text) => {
    if (text === null) return Effect.succeed(fallback)
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    return number >= range.from && number <= range.to
      ? Effect.succeed(number)
      : problem(`${name} must be a whole number from ${range.from} to ${range.to}, not ${JSON.stringify(text)}`)
  })

/** The text of the file `path`, the value of the setting `name`. */
const fileText = (name: string, path: string): Effect.Effect<string, ConfigProblem> =>
  Effect.try({
    try: () => readFileSync(path, "utf8"),
    catch: () => new ConfigProblem({ line: `${name}: the file ${path} cannot be read` })
  })

const isCertificate = (pem: string): boolean => {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

/** The certificates of the file `path`, the value of the setting `name`, PEM. */
export const certificates = (name: string, path: string): Effect.Effect<string, ConfigProblem> =>
  Effect.flatMap(fileText(name, path), (text) => {
    const found = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []
    return found.length > 0 && found.every(isCertificate) ? Effect.succeed(text) : problem(`${name}: the file ${path} holds no readable certificate`)
  })

/** The certificates of the file the setting names; null where it names none. */
export const optionalCertificates = (name: string): Effect.Effect<string | null, ConfigProblem> =>
  Effect.flatMap(optional(name), (path) => path === null ? Effect.succeed(null) : certificates(name, path))

/** A URL is also read with line breaks in it, which would go on into headers, and with other slashes than it is written with. */
const isHttp = (text: string): boolean => /^https?:\/\/[^\s/\\]\S*$/i.test(text) && URL.canParse(text)

/** What somebody wrote, where it can be shown: behind `@` and `?` there may be secrets. */
const shown = (text: string): string => /[@?]/.test(text) ? "" : `, not ${JSON.stringify(text)}`

/** An http or https address that is used as it is written: it may have a query (RFC 6749 §3.2), and no user, password or fragment. */
export const addressWithQuery = (name: string, text: string): Effect.Effect<string, ConfigProblem> => {
  if (!isHttp(text)) return problem(`${name} must be an http or https address${shown(text)}`)
  const { password, username } = new URL(text)
  if (username !== "" || password !== "") return problem(`${name} must not contain a user or a password`)
  return text.includes("#") ? problem(`${name} must not contain a fragment (#…)`) : Effect.succeed(text)
}

/** An http or https address to which paths are added, without its final slashes. */
export const address = (name: string, text: string): Effect.Effect<string, ConfigProblem> =>
  Effect.flatMap(addressWithQuery(name, text), (read) =>
    read.includes("?") ? problem(`${name} must not contain a query (?…)`) : Effect.succeed(read.replace(/(?<!\/)\/+$/, "")))

export const optionalAddress = (name: string): Effect.Effect<string | null, ConfigProblem> =>
  Effect.flatMap(optional(name), (text) => text === null ? Effect.succeed(null) : address(name, text))

/** Whether a name or number of a host means this machine. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host)

/** An answer over http can be changed in transit, so such an address is accepted only on this machine. */
export const isSafe = ({ hostname, protocol }: URL): boolean => protocol === "https:" || isLoopback(hostname)
