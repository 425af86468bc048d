import { RefundNotCompleted, type RefundWorkflow } from "@overa/client"
import { describe, expect, it } from "vitest"
import { Failed } from "../src/sendStep.ts"
import { isRefusal, wordsOf } from "../src/wordsOf.ts"

const failedRefund = (refund: object): Failed =>
  new Failed({ isDone: false, failures: 1 }, new RefundNotCompleted({ id: "w", status: "FAILED", cashRefundCopy: null, refund } as unknown as RefundWorkflow))

describe("a refund that failed", () => {
  it("because the V-PFR was away is sent again soon, and nobody has to do anything", () => {
    const failed = failedRefund({ status: "NOT_FISCALIZED", failureCode: "PFR_UNAVAILABLE" })
    expect(isRefusal(failed)).toBe(false)
    expect(wordsOf(failed, "here")).toMatch(/does not answer.*nothing is to be done/)
  })

  it("because the V-PFR rejected it is not sent again at once, and says why", () => {
    const failed = failedRefund({ status: "REJECTED", failureCode: "PFR_VALIDATION_REJECTED", pfrRejection: { items: [{ property: "payments[0].amount", codes: ["2804"] }] } })
    expect(isRefusal(failed)).toBe(true)
    expect(wordsOf(failed, "here")).toMatch(/rejected the refund.*2804/)
  })
})
