import { currentIn, type Operation, presentAdvanceCase } from "@overa/domain"
import { describe, expect, it } from "vitest"
import { advanceAnswer } from "../../hosts/rest-api/src/operations/issuedAnswer.ts"
import { mintCase } from "../src/support/caseSteps.ts"
import { sampleAnswer, sampleContent, sampleOperation } from "../src/support/sampleOperations.ts"

const opened = mintCase()
const content = { ...sampleContent(1), invoiceType: "ADVANCE" as const }
const document = (changes: Partial<Operation>): Operation =>
  sampleOperation(opened, { content, workflow: { type: "ADVANCE", id: opened.id }, ...changes })

describe("the answer to a mutation of a case whose document the store has lost", () => {
  const lost = document({ status: "OUTCOME_UNKNOWN", failureCode: "OUTCOME_UNKNOWN" })
  const other = document({ status: "FISCALIZED", answer: sampleAnswer() })

  it("is that document as its process knows it, never the case alone with 200 or 201", () => {
    for (const replayed of [true, false]) {
      const stored = { opened, documents: [other] }
      const current = currentIn(stored, lost)
      expect(advanceAnswer({ stored, current, replayed })).toMatchObject({ status: 503, operationId: lost.id })
      expect(presentAdvanceCase(stored, current).current).toMatchObject({ id: lost.id, status: "OUTCOME_UNKNOWN", fiscalized: false })
    }
  })

  it("is the stored one where there is one, which may be newer", () => {
    const found = { ...lost, status: "FISCALIZED" as const, failureCode: null, answer: sampleAnswer() }
    const stored = { opened, documents: [other, found] }
    expect(currentIn(stored, lost)).toBe(found)
    expect(advanceAnswer({ stored, current: currentIn(stored, lost), replayed: true }).status).toBe(200)
  })

  it("is 201 and 200 without a document for an opening alone", () => {
    const stored = { opened, documents: [] }
    expect([false, true].map((replayed) => advanceAnswer({ stored, current: null, replayed }).status)).toEqual([201, 200])
  })
})
