import { DocumentStatus, type ErrorCode, errorCatalogue } from "@overa/domain"
import { describe, expect, it } from "vitest"
import { codeAnswer } from "../src/http/errorAnswer.ts"
import { issuedStatus, nextStepOf } from "../src/operations/issuedAnswer.ts"
import { keyedHeaders } from "../src/operations/keyedHeaders.ts"
import { operations } from "../src/operations/operations.ts"

const headersOf = (status: DocumentStatus, retryable: boolean, replayed: boolean) =>
  keyedHeaders({ status: issuedStatus(status, replayed), replayed, resource: "/v1/operations/1", next: nextStepOf({ status, retryable }) })

// Spec, Client handling rules 2 and 3: nothing sent, wait a few seconds and send the same; unknown, ask about every 30 seconds.
describe("what the headers of an answer about something stored say", () => {
  it.each<readonly [DocumentStatus, boolean, string | undefined]>([
    ["NOT_FISCALIZED", true, "2"],
    ["NOT_FISCALIZED", false, undefined],
    ["VALIDATED", false, "2"],
    ["RECEIVED", false, "30"],
    ["SUBMITTING", false, "30"],
    ["RECONCILING", false, "30"],
    ["OUTCOME_UNKNOWN", false, "30"],
    ["REJECTED", false, undefined],
    ["FISCALIZED", false, undefined]
  ])("%s, retryable %s: Retry-After %s", (status, retryable, seconds) => {
    for (const replayed of [false, true]) {
      const headers = headersOf(status, retryable, replayed)
      expect(headers["Retry-After"]).toBe(seconds)
      expect(headers["Idempotency-Replayed"]).toBe(replayed ? "true" : undefined)
      const isToldWhere = issuedStatus(status, replayed) === 503 || (status === "FISCALIZED" && !replayed)
      expect(headers["Location"]).toBe(isToldWhere ? "/v1/operations/1" : undefined)
    }
  })

  it("knows every status of a document", () => {
    for (const status of DocumentStatus.literals) {
      expect(nextStepOf({ status, retryable: false }) === "nothing").toBe(["FISCALIZED", "REJECTED", "NOT_FISCALIZED"].includes(status))
    }
  })
})

describe("what the headers of a refusal say", () => {
  const waits = (Object.keys(errorCatalogue) as ReadonlyArray<ErrorCode>).filter((code) => [429, 503].includes(errorCatalogue[code].status))

  it.each(waits)("%s names seconds exactly where waiting helps", (code) => {
    const helps = errorCatalogue[code].retry === "same key" || errorCatalogue[code].retry === "later"
    expect(Number(codeAnswer(code, "").headers?.["Retry-After"] ?? 0) > 0).toBe(helps)
  })
})

describe("the contract of requests with a key", () => {
  it.each(operations.filter(({ idempotent }) => idempotent))("$method $path says which of its answers are replays, and where to ask", ({ responses }) => {
    expect(responses[200]?.headers).toContain("Idempotency-Replayed")
    expect(responses[201]?.headers).toContain("Location")
    for (const [status, response] of Object.entries(responses)) {
      if (status === "503") expect(response?.headers).toEqual(["Location", "Retry-After", "Idempotency-Replayed"])
      if (status === "422") expect(response?.headers).toContain("Idempotency-Replayed")
    }
  })
})
