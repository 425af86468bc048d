import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { readBooks } from "./compareBooks.ts"
import type { CrashPoint } from "./CrashPoint.ts"
import { DyingHost } from "./DyingHost.ts"
import { type OfferAnswer, OfferTill } from "./OfferTill.ts"
import type { KeyedBody } from "./TillLine.ts"

// A crash between the attempt's own commit and the first byte leaves an outcome that only an operator can decide: it is never resubmitted.
const deaths: ReadonlyArray<readonly [CrashPoint, "COMPLETED" | "OUTCOME_UNKNOWN"]> = [
  ["beforeProformaCommit", "COMPLETED"],
  ["afterProformaCommit", "OUTCOME_UNKNOWN"],
  ["beforeSecondCommit", "COMPLETED"],
  ["afterSecondCommit", "COMPLETED"]
]

describe("a proforma or training document whose host dies: one document for its key, one refund for its source", () => {
  let pair: DyingHost
  let living: OfferTill
  let dying: OfferTill
  beforeAll(async () => {
    pair = await DyingHost.open("offers")
    const label = await pair.site.anyLabel()
    living = new OfferTill(pair.livingUrl, pair.site.seeded.sandbox, label)
    dying = new OfferTill(pair.dyingUrl, pair.site.seeded.sandbox, label)
  }, 120_000)
  afterEach(() => pair.rest())
  afterAll(() => pair.close())

  /** The receipts that the V-PFR has signed under a key. */
  const signedFor = async ({ key }: KeyedBody): Promise<ReadonlyArray<string>> => {
    expect(await pair.contradictions()).toEqual([])
    const { operations, receipts } = await readBooks(pair.site.settings.databaseUrl, pair.site.controlUrl)
    const ids = new Set(operations.filter((operation) => operation.key === key).flatMap(({ request_ids }) => request_ids))
    return receipts.filter(({ requestId }) => ids.has(requestId)).map(({ invoiceNumber }) => invoiceNumber)
  }
  /** The request repeated until its workflow is final or waits for a decision. */
  const rests = async (request: KeyedBody, at: string): Promise<OfferAnswer> => {
    let last: OfferAnswer | null = null
    await expect.poll(async () => (last = await living.send(request))?.state, { timeout: 30_000, interval: 200 }).toBe(at)
    if (last === null) throw new Error("nobody answered")
    return last
  }
  const signedIs = async (request: KeyedBody, { document }: OfferAnswer): Promise<void> => {
    expect(await signedFor(request)).toEqual(document?.pfr === null || document === null ? [] : [document.pfr.invoiceNumber])
  }

  it.each(deaths)("a sale, killed %s: %s", async (point, ends) => {
    const sale = living.sale(point === "afterSecondCommit" ? "TRAINING" : "PROFORMA")
    expect(await pair.diesOver(() => dying.send(sale), { point, hit: 1 })).toBeNull()
    const answer = await rests(sale, ends)
    await signedIs(sale, answer)
    const again = await dying.send(sale)
    expect([again?.id, again?.state, again?.status]).toEqual([answer.id, ends, ends === "COMPLETED" ? 200 : 503])
    expect((await living.read(answer.id)).document?.id).toBe(answer.document?.id)
  }, 120_000)

  it.each(deaths)("a refund, killed %s: %s, and its source is nobody else's", async (point, ends) => {
    const source = await living.send(living.sale("TRAINING"))
    const refund = living.refund("TRAINING", source?.document?.id ?? "")
    expect(await pair.diesOver(() => dying.send(refund), { point, hit: 1 })).toBeNull()
    const answer = await rests(refund, ends)
    await signedIs(refund, answer)
    const rivals = Array.from({ length: 10 }, () => living.refund("TRAINING", source?.document?.id ?? ""))
    const refusals = await Promise.all(rivals.map((rival, index) => (index % 2 === 0 ? living : dying).send(rival)))
    const code = ends === "COMPLETED" ? "PROFORMA_TRAINING_SOURCE_ALREADY_REFUNDED" : "PROFORMA_TRAINING_WORKFLOW_RESERVATION_CONFLICT"
    expect(refusals.map((refusal) => [refusal?.status, refusal?.code, refusal?.workflowId])).toEqual(rivals.map(() => [409, code, answer.id]))
    await signedIs(refund, answer)
  }, 120_000)

  it("a refund whose answer was lost with its host is found by the worker, though nobody repeats the request", async () => {
    const source = await living.send(living.sale("PROFORMA"))
    const refund = living.refund("PROFORMA", source?.document?.id ?? "")
    await pair.diesOver(() => dying.send(refund), { point: "beforeSecondCommit", hit: 1 })
    await expect.poll(async () => (await living.send(living.refund("PROFORMA", source?.document?.id ?? "")))?.code, { timeout: 30_000, interval: 200 })
      .toBe("PROFORMA_TRAINING_SOURCE_ALREADY_REFUNDED")
    expect(await signedFor(refund)).toHaveLength(1)
  }, 120_000)
})
