/** The first non-empty message among an error and its causes. */
const messageOf = (error: unknown): string => {
  for (let at: unknown = error, depth = 0; typeof at === "object" && at !== null && depth < 8; depth++) {
    const { cause, message } = at as { readonly message?: unknown; readonly cause?: unknown }
    if (typeof message === "string" && message.trim() !== "") return message
    at = cause
  }
  return String(error)
}

const tagOf = (error: unknown): unknown => typeof error === "object" && error !== null && "_tag" in error ? error._tag : null

/** The setting that belongs to a failure of a part of the host, by the tag of the error. */
const settingOf: Readonly<Record<string, string>> = {
  StoreUnavailable: "DATABASE_URL: the database does not answer: ",
  PgFailure: "DATABASE_URL: the database does not answer: ",
  EncryptionKeysInvalid: "OVERA_SECRET_KEYS: ",
  VpfrConnectionInvalid: "OVERA_VPFR_…: "
}

const detailOf = (error: unknown): string | null =>
  typeof error === "object" && error !== null && "detail" in error && typeof error.detail === "string" ? error.detail : null

/** Why a host did not start, in one line that names the setting where one is to blame (Decisions §8). */
export const startFailure = (error: unknown): string => {
  const message = detailOf(error) ?? messageOf(error)
  const [line = ""] = message.split("\n")
  // A library that reads environment variables itself names the variable in its message.
  const variable = /\bat \["([A-Z][A-Z0-9_]+)"\]/.exec(message)?.[1]
  if (variable !== undefined) return `${variable}: ${line.replace(/^\w+\(/, "")}`
  return `${settingOf[String(tagOf(error))] ?? ""}${line}`
}
