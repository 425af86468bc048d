/** The first message along an error's causes that says anything. */
const messageOf = (error: unknown): string => {
  for (let at: unknown = error, depth = 0; typeof at === "object" && at !== null && depth < 8; depth++) {
    const { cause, message } = at as { readonly message?: unknown; readonly cause?: unknown }
    if (typeof message === "string" && message.trim() !== "") return message
    at = cause
  }
  return String(error)
}

const tagOf = (error: unknown): unknown => typeof error === "object" && error !== null && "_tag" in error ? error._tag : null

/** Why a host did not start, in one line that names the setting where one is to blame (Decisions §8). */
export const startFailure = (error: unknown): string => {
  const [line = ""] = messageOf(error).split("\n")
  return tagOf(error) === "StoreUnavailable" || tagOf(error) === "PgFailure" ? `DATABASE_URL: the database does not answer: ${line}` : line
}
