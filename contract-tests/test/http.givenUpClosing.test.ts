import { dirname } from "node:path"
import { runAdmin } from "@overa/admin"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { advancePath, sampleCase, sampleClosing, samplePayment } from "../src/http/sampleAdvance.ts"
import { sandboxTarget } from "../src/http/sandboxTarget.ts"
import { VpfrControl } from "../src/http/VpfrControl.ts"
import { ApiClient, newKey } from "../src/support/ApiClient.ts"
import { type SandboxProcess, startSandboxProcess } from "../src/support/sandboxProcess.ts"

/** The caller's view and the operator's act, over the real path (docs/operations/closing-without-key.md). */
describe("a closing whose key is lost", () => {
  let sandbox: SandboxProcess
  let api: ApiClient
  let vpfr: VpfrControl
  beforeAll(async () => {
    sandbox = await startSandboxProcess()
    vpfr = VpfrControl.ofSandbox(sandbox.file)
    api = await ApiClient.of(await sandboxTarget(sandbox.file))
  }, 120_000)
  afterAll(() => sandbox.stop())
  afterEach(() => vpfr.clearFaults())

  /** The operator's command for this sandbox. */
  const admin = async (...args: ReadonlyArray<string>) => {
    const [out, err]: [Array<string>, Array<string>] = [[], []]
    const code = await runAdmin(args, {
      environment: { OVERA_HOME: dirname(sandbox.file) },
      write: (text) => out.push(text),
      writeError: (text) => err.push(text),
      nextLine: () => Promise.resolve(null),
      ask: null,
      userName: "ana"
    })
    return { code, out: out.join(""), err: err.join("") }
  }
  const giveUp = (id: string) => admin("closings", "give-up", id, "--reason", "the shop lost the key, ticket 93", "--yes")

  it("blocks its case until an operator gives it up; then the case is closed under a new key, and the old key sends nothing", async () => {
    const { json: { id } } = await api.post(advancePath, sampleCase(api.target))
    const paid = await api.post(`${advancePath}/${id}/payments`, samplePayment(api.target, 100))
    const close = (key: string, total: number) => api.post(`${advancePath}/${id}/closing`, sampleClosing(api.target, total, total - 100), { key })
    expect(await giveUp(paid.json.current.id)).toMatchObject({ code: 2, err: "Not given up: no closing of the case is reserved.\n" })
    const lost = newKey()
    await vpfr.fault({ fault: "refuse-connection", times: 3 })
    const first = await close(lost, 150)
    expect([first.status, first.json.advanceRefund.status, first.json.finalSale.status]).toEqual([503, "NOT_FISCALIZED", "VALIDATED"])
    await vpfr.clearFaults()
    expect((await close(newKey(), 150)).json.code).toBe("ADVANCE_CASE_CLOSE_ALREADY_RESERVED")
    expect((await api.post(`${advancePath}/${id}/payments`, samplePayment(api.target, 10))).json).toMatchObject({ code: "ADVANCE_CASE_NOT_OPEN", state: "AWAITING_OUTCOME" })

    const given = await giveUp(first.json.advanceRefund.id)
    expect(given).toMatchObject({ code: 0, out: `The closing is given up. The advance case ${id} can be closed again with a new key.\n` })
    expect((await api.get(`${advancePath}/${id}`)).json).toMatchObject({ state: "OPEN", advanceRefund: null, finalSale: null, failureCode: null })
    const before = (await vpfr.receipts()).length
    const replayed = await close(lost, 150)
    expect([replayed.status, replayed.headers.get("idempotency-replayed"), replayed.headers.get("retry-after")]).toEqual([503, "true", null])
    expect(replayed.json.current).toMatchObject({ id: first.json.finalSale.id, status: "NOT_FISCALIZED", failureCode: "ADVANCE_REFUND_NOT_FISCALIZED", retryable: false })
    expect((await api.get(`/v1/operations/${first.json.advanceRefund.id}`)).json).toMatchObject({ retryable: false, nextCheckAt: null })
    expect(await vpfr.receipts()).toHaveLength(before)

    const closed = await close(newKey(), 160)
    expect([closed.status, closed.json.state]).toEqual([201, "CLOSED"])
    expect(closed.json.finalSale.reference.fiscalDocumentId).toBe(closed.json.advanceRefund.id)
    expect((await close(lost, 150)).json).toMatchObject({ state: "CLOSED", current: { id: first.json.finalSale.id } })
    expect(await giveUp(first.json.advanceRefund.id)).toMatchObject({ code: 2, err: "Not given up: the case is closed.\n" })
    expect((await admin("activity", "search", "closing given up")).out.match(/closing given up .*the shop lost the key, ticket 93/g)).toHaveLength(1)
    expect((await admin("unknown", "show", first.json.advanceRefund.id)).out).toMatch(/closingGivenUp +operator:ana/)
  })
})
