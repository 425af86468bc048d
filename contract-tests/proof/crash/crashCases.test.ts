import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { caseContradictions, readCaseBooks, type SignedCase } from "./caseBooks.ts"
import type { CrashPoint } from "./CrashPoint.ts"
import { type CaseRequest, CaseTill, type KnownCase } from "./CaseTill.ts"
import { DyingHost } from "./DyingHost.ts"

/** Where the host crashes, and the state of the case once the host is back and a worker runs. */
interface Death {
  readonly when: string
  readonly point: CrashPoint
  readonly hit: number
  readonly ends: string
  /** How many Advance Refunds, copies and final sales the V-PFR has signed by then. */
  readonly signed: readonly [refunds: number, copies: number, finalSales: number]
}

// A crash between the attempt's own commit and the first byte leaves an outcome that only an operator can decide: it is never resubmitted.
const closingDeaths: ReadonlyArray<Death> = [
  { when: "before both documents are reserved", point: "beforeCaseCommit", hit: 1, ends: "CLOSED", signed: [1, 0, 1] },
  { when: "when both are reserved and nothing is sent", point: "afterCaseCommit", hit: 1, ends: "AWAITING_OUTCOME", signed: [0, 0, 0] },
  { when: "when the Advance Refund is signed and not stored", point: "beforeSecondCommit", hit: 1, ends: "CLOSED", signed: [1, 0, 1] },
  { when: "between the two documents, the first one stored", point: "afterSecondCommit", hit: 1, ends: "CLOSED", signed: [1, 0, 1] },
  { when: "before the final sale is SUBMITTING", point: "beforeSending", hit: 1, ends: "CLOSED", signed: [1, 0, 1] },
  { when: "when the final sale is SUBMITTING and not sent", point: "afterMarkedSent", hit: 1, ends: "AWAITING_OUTCOME", signed: [1, 0, 0] },
  { when: "when the final sale is signed and not stored", point: "beforeSecondCommit", hit: 2, ends: "CLOSED", signed: [1, 0, 1] },
  { when: "when everything is stored and nothing answered", point: "afterSecondCommit", hit: 2, ends: "CLOSED", signed: [1, 0, 1] }
]

const cancellationDeaths: ReadonlyArray<Death> = [
  { when: "before the Advance Refund is reserved", point: "beforeCaseCommit", hit: 1, ends: "FISCALIZED FISCALIZED", signed: [1, 1, 0] },
  { when: "when it is reserved and not sent", point: "afterCaseCommit", hit: 1, ends: "OUTCOME_UNKNOWN none", signed: [0, 0, 0] },
  { when: "when it is signed and not stored", point: "beforeSecondCommit", hit: 1, ends: "FISCALIZED FISCALIZED", signed: [1, 1, 0] },
  { when: "between refund and copy", point: "afterSecondCommit", hit: 1, ends: "FISCALIZED FISCALIZED", signed: [1, 1, 0] },
  { when: "before the copy is SUBMITTING", point: "beforeSending", hit: 1, ends: "FISCALIZED FISCALIZED", signed: [1, 1, 0] },
  { when: "when the copy is SUBMITTING and not sent", point: "afterMarkedSent", hit: 1, ends: "FISCALIZED OUTCOME_UNKNOWN", signed: [1, 0, 0] },
  { when: "when the copy is signed and not stored", point: "beforeSecondCommit", hit: 2, ends: "FISCALIZED FISCALIZED", signed: [1, 1, 0] },
  { when: "when everything is stored and nothing answered", point: "afterSecondCommit", hit: 2, ends: "FISCALIZED FISCALIZED", signed: [1, 1, 0] }
]

/** `npm run crash` tries every crash; the daily run leaves out those before SUBMITTING, which wait for the worker as the step before them does. */
const tried = (deaths: ReadonlyArray<Death>): ReadonlyArray<Death> =>
  deaths.filter(({ point }) => point !== "beforeSending" || process.env["CRASH_ROUNDS"] !== undefined)

const polling = { timeout: 40_000, interval: 200 }

describe("an advance case whose host dies: no advance given back twice or in part, one final sale, the same case for its key", () => {
  let pair: DyingHost
  /** The tills of the host that runs throughout, and of the one that crashes. */
  let living: CaseTill
  let dying: CaseTill

  /** The host crashes while it processes the request, and starts again. */
  const diesOver = async (request: CaseRequest, at: Pick<Death, "hit" | "point">): Promise<void> => {
    expect(await pair.diesOver(() => dying.send(request), at)).toBeNull()
  }
  const booksOf = async (caseId: string): Promise<SignedCase> => {
    expect(await pair.contradictions()).toEqual([])
    const cases = await readCaseBooks(pair.site)
    expect(caseContradictions(cases)).toEqual([])
    const found = cases.find((one) => one.caseId === caseId)
    if (found === undefined) throw new Error(`nothing is stored of ${caseId}`)
    return found
  }
  const signedFor = async (caseId: string): Promise<Death["signed"]> => {
    const { cancellations, closingRefunds, copies, finalSales } = await booksOf(caseId)
    return [cancellations.length + closingRefunds.length, copies.length, finalSales.length]
  }
  const comesTo = (caseId: string, where: (known: KnownCase) => string, ends: string) =>
    expect.poll(async () => where(await living.read(caseId)), polling).toBe(ends)

  beforeAll(async () => {
    pair = await DyingHost.open("cases")
    const [first = "", second = ""] = await pair.site.labels()
    living = new CaseTill(pair.livingUrl, pair.site.seeded.sandbox, [first, second])
    dying = new CaseTill(pair.dyingUrl, pair.site.seeded.sandbox, [first, second])
  }, 120_000)
  afterEach(() => pair.rest())
  afterAll(() => pair.close())

  it.each(["beforeCaseOpening", "afterCaseOpening"] as const)("opening, killed %s: the same key has one case", async (point) => {
    const opening = living.opening()
    await diesOver(opening, { point, hit: 1 })
    const first = await living.send(opening)
    expect([first?.status, first?.known.state]).toEqual([point === "beforeCaseOpening" ? 201 : 200, "OPEN"])
    expect((await dying.send(opening))?.known.id).toBe(first?.known.id)
  }, 120_000)

  it.each<[CrashPoint, string, number]>([
    ["beforeCaseCommit", "FISCALIZED", 3],
    ["afterCaseCommit", "OUTCOME_UNKNOWN", 2],
    ["beforeSecondCommit", "FISCALIZED", 3],
    ["afterSecondCommit", "FISCALIZED", 3]
  ])("a payment, killed %s: %s, and never a second Advance Sale", async (point, ends, sales) => {
    const { advanceSales, id } = await living.withAdvances()
    const payment = living.payment(id, 500, "WIRE_TRANSFER")
    await diesOver(payment, { point, hit: 1 })
    if (point === "beforeCaseCommit") await living.send(payment)
    await comesTo(id, (known) => known.advanceSales[advanceSales.length]?.status ?? "none", ends)
    let totalAdvance: number | undefined
    // RECONCILING while the worker searches.
    await expect.poll(async () => {
      const again = await living.send(payment)
      totalAdvance = again?.known.totalAdvance
      return [again?.status, again?.known.current?.status]
    }, polling).toEqual([ends === "FISCALIZED" ? 200 : 503, ends])
    expect((await booksOf(id)).sales).toHaveLength(sales)
    expect(totalAdvance).toBe(ends === "FISCALIZED" ? 7_500 : 7_000)
    // While the outcome is unknown nothing else of the case continues.
    const next = await living.send(living.payment(id, 100, "CARD"))
    expect([next?.status, next?.code]).toEqual(ends === "FISCALIZED" ? [201, null] : [409, "ADVANCE_CASE_NOT_OPEN"])
  }, 120_000)

  it.each(tried(closingDeaths))("a closing, killed $when: $ends, by the worker alone", async ({ ends, hit, point, signed }) => {
    const { id } = await living.withAdvances()
    const closing = living.closing(id, 10_000, 3_000)
    await diesOver(closing, { point, hit })
    // Nothing was stored: only the caller's own repetition closes the case.
    if (point === "beforeCaseCommit") expect((await living.send(closing))?.status).toBe(201)
    await comesTo(id, ({ state }) => state, ends)
    if (ends === "AWAITING_OUTCOME") {
      await comesTo(id, ({ advanceRefund, finalSale }) => (signed[0] === 0 ? advanceRefund : finalSale)?.status ?? "none", "OUTCOME_UNKNOWN")
    }
    expect(await signedFor(id)).toEqual(signed)
    const again = await living.send(closing)
    expect([again?.status, again?.known.state]).toEqual([ends === "CLOSED" ? 200 : 503, ends])
    const other = await living.send(living.closing(id, 10_000, 3_000))
    expect([other?.status, other?.code]).toEqual([409, ends === "CLOSED" ? "ADVANCE_CASE_NOT_OPEN" : "ADVANCE_CASE_CLOSE_ALREADY_RESERVED"])
    expect((await living.send(living.payment(id, 100, "CARD")))?.code).toBe("ADVANCE_CASE_NOT_OPEN")
    expect(await signedFor(id)).toEqual(signed)
    const { finalSales } = await booksOf(id)
    expect(finalSales.map(({ invoiceNumber }) => invoiceNumber)).toEqual(again?.known.finalSale?.pfr ? [again.known.finalSale.pfr.invoiceNumber] : [])
  }, 120_000)

  it.each(tried(cancellationDeaths))("a cancellation of cash, killed $when: $ends, by the worker alone", async ({ ends, hit, point, signed }) => {
    const { advanceSales, id } = await living.withAdvances()
    const cancellation = living.cancellation(id, advanceSales[1]?.id ?? "")
    await diesOver(cancellation, { point, hit })
    if (point === "beforeCaseCommit") expect((await living.send(cancellation))?.status).toBe(201)
    await comesTo(id, ({ advanceCancellations: [one] }) => `${one?.refund.status ?? "none"} ${one?.copy?.status ?? "none"}`, ends)
    expect(await signedFor(id)).toEqual(signed)
    const again = await living.send(cancellation)
    expect(again?.known.advanceCancellations).toHaveLength(1)
    expect(await signedFor(id)).toEqual(signed)
    expect(again?.known.totalAdvance).toBe(signed[0] === 1 ? 3_000 : 7_000)
    // A copy with an unknown outcome blocks nothing; a refund with one does.
    const closed = await living.send(living.closing(id, 3_000, 0))
    expect([closed?.status, closed?.code]).toEqual(signed[0] === 1 ? [201, null] : [409, "ADVANCE_CASE_NOT_OPEN"])
    await booksOf(id)
  }, 120_000)

  it("a V-PFR that is gone between the two documents: 503, nothing twice, and CLOSED when it is back", async () => {
    const { id } = await living.withAdvances()
    const closing = living.closing(id, 10_000, 3_000)
    const host = await pair.start("afterSecondCommit", 1)
    expect(await dying.send(closing)).toBeNull()
    await host.ended
    await pair.site.fault({ fault: "refuse-connection" })
    await pair.start()
    const pending = await dying.send(closing)
    expect([pending?.status, pending?.known.state, pending?.known.advanceRefund?.status]).toEqual([503, "AWAITING_OUTCOME", "FISCALIZED"])
    await pair.site.clearFaults()
    await comesTo(id, ({ state }) => state, "CLOSED")
    expect(await signedFor(id)).toEqual([1, 0, 1])
  }, 120_000)

  it("hosts dying at every point while many close the same cases: every case ends whole", async () => {
    const cases = await Promise.all(Array.from({ length: 4 }, () => living.withAdvances()))
    const closings = cases.flatMap(({ id }) => [living.closing(id, 10_000, 3_000), living.closing(id, 10_000, 3_000)])
    for (const [point, hit] of [["afterSecondCommit", 2], ["beforeSending", 2], ["beforeSecondCommit", 3]] as const) {
      const host = await pair.start(point, hit)
      const sent = closings.map((closing, index) => (index % 2 === 0 ? dying : living).send(closing))
      await Promise.race([host.ended, Promise.all(sent)])
      await host.kill()
      await Promise.all(sent)
    }
    await pair.start()
    for (const { id } of cases) {
      await comesTo(id, ({ state }) => state, "CLOSED")
      expect(await signedFor(id)).toEqual([1, 0, 1])
    }
  }, 120_000)
})
