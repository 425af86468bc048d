import { readJson } from "@overa/host-kit"
import { Result } from "effect"
import { createReadStream } from "node:fs"
import { createInterface } from "node:readline"

/** A request of the shop's, and the number of the other ESIR's receipt where the log says it. */
export interface LoggedRequest {
  readonly file: string
  readonly line: number
  readonly pfrNumber: string | null
  readonly body: unknown
}

/** A line that has no request. */
export interface UnreadLine {
  readonly file: string
  readonly line: number
  readonly reason: string
}

/** No request of the contract is longer. */
const longestLine = 1_048_576

type Members = Readonly<Record<string, unknown>>
const isMembers = (value: unknown): value is Members => typeof value === "object" && value !== null && !Array.isArray(value)

/** The request that a line has: the line itself, or what comes after the words of a log, or beside the number of the receipt. */
const requestIn = (text: string): Result.Result<Pick<LoggedRequest, "pfrNumber" | "body">, string> => {
  const begin = text.indexOf("{")
  if (begin < 0) return Result.fail("there is no JSON in it")
  if (text.length > longestLine) return Result.fail("it is longer than any request")
  const read = readJson(text.slice(begin).trimEnd())
  if (Result.isFailure(read)) return Result.fail(read.failure.message)
  const value = read.success
  if (!isMembers(value)) return Result.fail("it is no object")
  const { pfrNumber, request } = value
  return Result.succeed(isMembers(request) ? { pfrNumber: typeof pfrNumber === "string" ? pfrNumber : null, body: request } : { pfrNumber: null, body: value })
}

/** The requests of a file with one on each line; empty lines are left out. Rejects where the file cannot be read. */
export const requestsOf = async function*(file: string): AsyncGenerator<LoggedRequest | UnreadLine> {
  let line = 0
  for await (const text of createInterface({ input: createReadStream(file, "utf8"), crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1
    if (text.trim() === "") continue
    const found = requestIn(text)
    yield Result.isSuccess(found) ? { file, line, ...found.success } : { file, line, reason: found.failure }
  }
}
