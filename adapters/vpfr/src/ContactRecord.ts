import type { Environment } from "@overa/domain"
import { refusingStatus } from "./answerText.ts"
import type { Exchanged } from "./Exchange.ts"

/**
 * The result of one contact with a V-PFR. `answered`: an answer that says something about the request. The others are failures: up to `cut` nothing was
 * sent; `noAnswer`: a request was sent and no whole answer came; `refused`: 401, 403 or 406; `serverError`: 429 or 500 and above.
 */
export const contactResults = [
  "answered", "name", "connection", "certificate", "tls", "cut", "late", "busy", "noAnswer", "refused", "serverError"
] as const
export type ContactResult = typeof contactResults[number]

/** What the last contacts of one environment have in common: they all failed. */
export interface FailingContacts {
  readonly environment: Environment
  /** Failures since the last answer. */
  readonly failures: number
  /** Milliseconds since 1970 of the first of them. */
  readonly sinceMillis: number
  /** The cause of the last one, in words; it contains no caller's data. */
  readonly detail: string
}

const busyStatus = 429
const serverErrors = 500

const resultOfStatus = (status: number): ContactResult => {
  if (refusingStatus.has(status)) return "refused"
  return status === busyStatus || status >= serverErrors ? "serverError" : "answered"
}

/** The result of an exchange; null where it says nothing about the V-PFR, because the caller left or this host is stopping. */
export const contactResult = (exchanged: Exchanged): ContactResult | null => {
  if (exchanged._tag === "Answered") return resultOfStatus(exchanged.status)
  if (exchanged._tag === "MayHaveLeft") return "noAnswer"
  if (exchanged.cause === "callerGone" || exchanged.cause === "closed") return null
  if (exchanged.cause === "busy") return "busy"
  return exchanged.cause === "tooLate" ? "late" : exchanged.phase ?? "connection"
}

const detailOf = (exchanged: Exchanged): string =>
  exchanged._tag === "Answered" ? `the V-PFR answered with status ${exchanged.status}` : exchanged.detail

/** The contacts of this process with the V-PFRs since it started. */
export class ContactRecord {
  readonly #counts = new Map<Environment, Map<ContactResult, number>>()
  readonly #failing = new Map<Environment, FailingContacts>()
  readonly #nowMillis: () => number

  /** Every environment is counted from 0, so that a metric exists before its first failure. */
  constructor(environments: ReadonlyArray<Environment>, nowMillis: () => number) {
    this.#nowMillis = nowMillis
    for (const environment of environments) this.#counts.set(environment, new Map(contactResults.map((result) => [result, 0])))
  }

  /** Counts a contact. Returns the cause of a failure, for the log, else null. */
  note(environment: Environment, exchanged: Exchanged): { readonly result: ContactResult; readonly detail: string } | null {
    const result = contactResult(exchanged)
    if (result === null) return null
    const counts = this.#counts.get(environment)
    counts?.set(result, (counts.get(result) ?? 0) + 1)
    if (result === "answered") {
      this.#failing.delete(environment)
      return null
    }
    const detail = detailOf(exchanged)
    const before = this.#failing.get(environment)
    this.#failing.set(environment, {
      environment,
      failures: (before?.failures ?? 0) + 1,
      sinceMillis: before?.sinceMillis ?? this.#nowMillis(),
      detail
    })
    return { result, detail }
  }

  /** How many contacts of each environment had each result. */
  get counts(): ReadonlyArray<{ readonly environment: Environment; readonly result: ContactResult; readonly count: number }> {
    return [...this.#counts].flatMap(([environment, counts]) => [...counts].map(([result, count]) => ({ environment, result, count })))
  }

  /** The environments whose last contact failed. */
  get failing(): ReadonlyArray<FailingContacts> {
    return [...this.#failing.values()]
  }
}
