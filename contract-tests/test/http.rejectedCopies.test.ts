import { randomUUID } from "node:crypto"
import { dirname } from "node:path"
import { runAdmin } from "@overa/admin"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { sampleRefund } from "../src/http/sampleRefund.ts"
import { sampleSale } from "../src/http/sampleSale.ts"
import { sandboxTarget } from "../src/http/sandboxTarget.ts"
import { VpfrControl } from "../src/http/VpfrControl.ts"
import { ApiClient, newKey } from "../src/support/ApiClient.ts"
import { type SandboxProcess, startSandboxProcess } from "../src/support/sandboxProcess.ts"

const path = "/v1/refund-workflows"

/** The caller's view and the operator's acts, over the real path (docs/operations/copy-rejected.md). */
describe("the rejected copy of a cash refund", () => {
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

  const body = async (type: string) =>
    sampleRefund(api.target, (await api.post("/v1/fiscal-documents", sampleSale(api.target))).json.id, { type })
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
  it("a copy the V-PFR rejects: COPY_PENDING with its code, the refund stays valid, nobody but an operator sends it again", async () => {
    const refund = await body("CASH")
    const key = newKey()
    const before = (await vpfr.receipts()).length
    await vpfr.faultOnSecond({ fault: "reject", modelState: [{ property: "payment[0].amount", errors: ["2804"] }] })
    const first = await api.post(path, refund, { key })
    expect([first.status, first.json.status, first.json.failureCode]).toEqual([503, "COPY_PENDING", "PFR_VALIDATION_REJECTED"])
    expect(first.headers.get("retry-after")).toBeNull()
    expect(first.json.refund.fiscalized).toBe(true)
    expect((await api.post(path, refund, { key })).json).toEqual(first.json)
    expect(await vpfr.signedSince(before)).toHaveLength(1)

    const retry = () => admin("copies", "retry", first.json.cashRefundCopy.id, "--reason", "label is back, ticket 91")
    await vpfr.fault({ fault: "reject", times: 1, modelState: [{ property: "payment[0].amount", errors: ["2804"] }] })
    expect(await retry()).toMatchObject({ code: 1, err: expect.stringMatching(/rejected the copy again \(2804\)/) })
    expect((await api.post(path, refund, { key })).json).toMatchObject({ status: "COPY_PENDING", failureCode: "PFR_VALIDATION_REJECTED" })
    expect(await retry()).toMatchObject({ code: 0, out: expect.stringMatching(/^The copy is issued: \S+\. The refund workflow is COMPLETED\.\n$/) })
    expect((await admin("activity", "search", "rejected copy retried")).out.match(/rejected copy retried .*label is back, ticket 91/g)).toHaveLength(2)
    const done = await api.post(path, refund, { key })
    expect([done.status, done.json.status, done.json.failureCode]).toEqual([200, "COMPLETED", null])
    expect(done.json.cashRefundCopy).toMatchObject({ id: first.json.cashRefundCopy.id, fiscalized: true, idempotencyKey: `${key}:copy` })
    expect(await vpfr.signedSince(before)).toHaveLength(2)
    const shown = await admin("unknown", "show", first.json.cashRefundCopy.id)
    expect(shown.out.match(/retriedByOperator +operator:ana/g)).toHaveLength(2)
    expect((await admin("attention", "list")).out).toContain("INNER_DOCUMENT_REJECTED")
  })

  it("an operator retries nothing but a rejected copy: one sentence, exit code 2, nothing sent", async () => {
    await vpfr.fault({ fault: "reject", times: 1, modelState: [{ property: "items[0].labels[0]", errors: ["2310"] }] })
    const rejected = await api.post("/v1/fiscal-documents", sampleSale(api.target))
    expect(rejected.status).toBe(422)
    const done = (await api.post(path, await body("CASH"))).json
    const before = (await vpfr.receipts()).length
    const refusals: ReadonlyArray<readonly [id: string, why: RegExp]> = [
      [rejected.json.id, /^Not sent: it is not the copy of a cash refund; its caller sends a corrected request under a new key\.\n$/],
      [done.refund.id, /^Not sent: it is not the copy/],
      [done.cashRefundCopy.id, /^Not sent: only a rejected copy is sent again by hand; this one is FISCALIZED\.\n$/],
      [randomUUID(), /^There is no operation/]
    ]
    for (const [id, why] of refusals) {
      expect(await admin("copies", "retry", id, "--reason", "try")).toMatchObject({ code: 2, out: "", err: expect.stringMatching(why) })
    }
    expect(await vpfr.signedSince(before)).toEqual([])
  })
})
