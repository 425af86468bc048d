import { RefundNotCompleted, type RefundWorkflow, RequestRefused } from "@overa/client"
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

describe("a request that was refused", () => {
  it("for now is sent again by itself, and nobody is sent to the settings", () => {
    for (const [status, code] of [[503, "CURRENT_TAX_CONFIGURATION_UNAVAILABLE"], [429, "RATE_LIMITED"]] as const) {
      const refused = new RequestRefused(status, { code, message: "The reason." } as never)
      expect(isRefusal(refused)).toBe(false)
      expect(wordsOf(refused, "in the settings")).toBe(`Not issued yet: ${code}: The reason. It is sent again by itself; nothing is to be done.`)
    }
  })

  it("by a rule says where it can be corrected", () => {
    const refused = new RequestRefused(422, { code: "TAX_LABEL_NOT_CURRENT", message: "The reason." } as never)
    expect(isRefusal(refused)).toBe(true)
    expect(wordsOf(refused, "in the settings")).toBe("Not issued: TAX_LABEL_NOT_CURRENT: The reason. Correct this in the settings; it is sent again by itself.")
  })
})
