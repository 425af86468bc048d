import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { contradictions, readBooks } from "./compareBooks.ts"
import type { CrashPoint } from "./CrashPoint.ts"
import { CrashSite } from "./CrashSite.ts"
import { MortalProcess } from "./MortalProcess.ts"
import { type KnownRefund, type RefundAnswer, RefundTill } from "./RefundTill.ts"
import { freePort } from "../../src/support/freePort.ts"

/** Where the host crashes, and the state of the cash refund once another host and a worker run. */
interface Death {
  readonly when: string
  readonly point: CrashPoint
  readonly hit: number
  readonly ends: "COMPLETED" | "REFUND_OUTCOME_UNKNOWN" | "COPY_OUTCOME_UNKNOWN"
}

// A crash between the attempt's own commit and the first byte leaves an outcome that only an operator can decide: it is never resubmitted.
const deaths: ReadonlyArray<Death> = [
  { when: "before the refund is reserved", point: "beforeRefundCommit", hit: 1, ends: "COMPLETED" },
  { when: "when the refund is reserved and not sent", point: "afterRefundCommit", hit: 1, ends: "REFUND_OUTCOME_UNKNOWN" },
  { when: "when the refund is signed and not stored", point: "beforeSecondCommit", hit: 1, ends: "COMPLETED" },
  { when: "when the refund is stored and its copy reserved", point: "afterSecondCommit", hit: 1, ends: "COMPLETED" },
  { when: "before the copy is SUBMITTING", point: "beforeSending", hit: 1, ends: "COMPLETED" },
  { when: "when the copy is SUBMITTING and not sent", point: "afterMarkedSent", hit: 1, ends: "COPY_OUTCOME_UNKNOWN" },
  { when: "when the copy is signed and not stored", point: "beforeSecondCommit", hit: 2, ends: "COMPLETED" },
  { when: "when everything is stored and nothing answered", point: "afterSecondCommit", hit: 2, ends: "COMPLETED" }
]

describe("a cash refund whose host dies: never given back twice, never two copies, the same workflow for its key", () => {
  let site: CrashSite
  let till: RefundTill
  let port: number
  let processes: Array<MortalProcess> = []

  const start = async (role: "api" | "worker", point?: CrashPoint, hit?: number): Promise<MortalProcess> => {
    const variables = site.variables(`refunds ${role}`, port)
    const host = await MortalProcess.start({ role, variables, ...(point === undefined ? {} : { point }), ...(hit === undefined ? {} : { hit }) })
    processes.push(host)
    return host
  }
  /** A sale issued by a running host, and its refund, which the next host will receive. */
  const sold = async (): Promise<KnownRefund> => {
    const host = await start("api")
    const refund = await till.sell()
    await host.kill()
    return refund
  }
  /** The refund's and its copy's receipts, as the V-PFR counts them. */
  const signedFor = async ({ key }: KnownRefund) => {
    const books = await readBooks(site.settings.databaseUrl, site.controlUrl)
    expect(contradictions(books)).toEqual([])
    const numbersOf = (ofKey: string) => {
      const ids = new Set(books.operations.filter((operation) => operation.key === ofKey).flatMap(({ request_ids }) => request_ids))
      return books.receipts.filter(({ requestId }) => ids.has(requestId)).map(({ invoiceNumber }) => invoiceNumber)
    }
    return { refund: numbersOf(key), copy: numbersOf(`${key}:copy`) }
  }
  const answered = async (refund: KnownRefund, status: string): Promise<RefundAnswer> => {
    let last: RefundAnswer | null = null
    await expect.poll(async () => {
      last = await till.refund(refund)
      return last?.workflow.status
    }, { timeout: 30_000, interval: 200 }).toBe(status)
    if (last === null) throw new Error("nobody answered")
    return last
  }

  beforeAll(async () => {
    site = await CrashSite.open()
    port = await freePort()
    till = new RefundTill(`http://127.0.0.1:${port}`, site.seeded.sandbox, await site.anyLabel())
  }, 60_000)
  afterEach(async () => {
    await site.clearFaults()
    await Promise.all(processes.filter(({ alive }) => alive).map((host) => host.kill()))
    processes = []
  })
  afterAll(() => site.close())

  it.each(deaths)("killed $when: $ends", async ({ ends, hit, point }) => {
    const refund = await sold()
    const dying = await start("api", point, hit)
    expect(await till.refund(refund)).toBeNull()
    await dying.ended
    await Promise.all([start("api"), start("worker")])
    const { workflow } = await answered(refund, ends)
    const signed = await signedFor(refund)
    expect(signed.refund).toEqual(workflow.refund.pfr === null ? [] : [workflow.refund.pfr.invoiceNumber])
    const copy = workflow.cashRefundCopy?.pfr ?? null
    expect(signed.copy).toEqual(copy === null ? [] : [copy.invoiceNumber])
    expect([signed.refund.length, signed.copy.length]).toEqual(
      { COMPLETED: [1, 1], REFUND_OUTCOME_UNKNOWN: [0, 0], COPY_OUTCOME_UNKNOWN: [1, 0] }[ends]
    )
    // Consumed or held: in no case can the three pieces be refunded again.
    expect(await till.left(refund.original)).toBe(0)
    expect((await till.refund({ ...refund, key: `${refund.key}-again` }))?.status).toBe(422)
    const again = (await till.refund(refund))?.workflow
    // An unknown outcome may be being searched for; everything else is unchanged.
    if (ends === "COMPLETED") expect(again).toEqual(workflow)
    expect([again?.id, again?.status, again?.refund.id]).toEqual([workflow.id, ends, workflow.refund.id])
  }, 60_000)

  /** The refund's answer is lost, and the worker that finds it crashes at `point`. */
  const foundByADyingWorker = async (refund: KnownRefund, point: CrashPoint): Promise<string | undefined> => {
    await start("api")
    await site.fault({ fault: "sign-then-reset", times: 1 })
    const dying = await start("worker", point)
    const first = await till.refund(refund)
    expect(first?.workflow.status).toBe("REFUND_OUTCOME_UNKNOWN")
    await dying.ended
    return first?.workflow.id
  }

  it.each<[string, CrashPoint]>([
    ["stored the refund it found", "afterSecondCommit"],
    ["was about to send the copy", "beforeSending"]
  ])("the worker that %s dies: the next one sends the copy, though nobody repeats the request", async (_when, point) => {
    const refund = await sold()
    const id = await foundByADyingWorker(refund, point)
    await start("worker")
    await expect.poll(async () => (await signedFor(refund)).copy.length, { timeout: 30_000, interval: 200 }).toBe(1)
    const { workflow } = await answered(refund, "COMPLETED")
    expect(workflow.id).toBe(id)
    expect(await signedFor(refund)).toMatchObject({ refund: { length: 1 }, copy: { length: 1 } })
  }, 60_000)

  it("a worker dies with the copy in hand: whoever repeats the request sends it, and the dead worker's claim stops nobody", async () => {
    const refund = await sold()
    const id = await foundByADyingWorker(refund, "beforeSending")
    const { status, workflow } = await answered(refund, "COMPLETED")
    expect([status, workflow.id]).toEqual([200, id])
    await start("worker")
    expect(await signedFor(refund)).toEqual({
      refund: [workflow.refund.pfr?.invoiceNumber],
      copy: [workflow.cashRefundCopy?.pfr?.invoiceNumber]
    })
  }, 60_000)

  it("a V-PFR that is gone when the copy is due: COPY_PENDING, to be repeated, and completed when it is back", async () => {
    const refund = await sold()
    const dying = await start("api", "afterSecondCommit", 1)
    expect(await till.refund(refund)).toBeNull()
    await dying.ended
    await site.fault({ fault: "refuse-connection" })
    await start("api")
    const pending = await till.refund(refund)
    expect([pending?.status, pending?.workflow.status, pending?.workflow.refund.status]).toEqual([503, "COPY_PENDING", "FISCALIZED"])
    expect(pending?.retryAfter).not.toBeNull()
    await site.clearFaults()
    const { status, workflow } = await answered(refund, "COMPLETED")
    expect([status, workflow.id]).toEqual([200, pending?.workflow.id])
    expect(await signedFor(refund)).toMatchObject({ refund: { length: 1 }, copy: { length: 1 } })
  }, 60_000)
})
