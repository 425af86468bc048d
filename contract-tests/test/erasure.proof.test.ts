import { erasureText, readErasure, signNote } from "@overa/domain"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { runVerify } from "../../verify/src/command/runVerify.ts"
import { forgetDocument } from "../src/support/byHand.ts"
import { bookSale, type ShopCaller, shopCaller } from "../src/support/shopCaller.ts"
import { type WholeInstallation, wholeInstallation } from "../src/support/wholeInstallation.ts"

// The cases change proofs deep inside.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

let installation: WholeInstallation
let call: ShopCaller
let key = ""
let document: Json
let before: Json
let after: Json
let logKey = ""

const saleBody = () => ({ ...bookSale(installation.shop, key), cashier: { id: "web", displayName: "Ана Јовић" }, metadata: { phone: "0641234567" } })

const sell = () => call("POST", "/v1/fiscal-documents", { "Idempotency-Key": key }, saleBody())
const readProof = async (): Promise<Json> => (await call("GET", `/v1/fiscal-documents/${document.id}/proof`)).json
const erase = () => installation.desk.admin(["metadata", "erase", installation.shop.organizationId, "--reference", key, "--older-than", "1", "--reason", "ticket 12", "--yes", "--json"])

beforeAll(async () => {
  installation = await wholeInstallation()
  call = await shopCaller(installation)
  logKey = installation.desk.file("log.vkey", await (await fetch(`${installation.api.url}/.well-known/overa-journal-key`)).text())
  key = `erased-${randomUUID()}`
  document = (await sell()).json
  await vi.waitUntil(async () => (await readProof()).journal?.entries.length === 4, { timeout: 30_000, interval: 300 })
  before = await readProof()
  expect((await erase()).json).toEqual({ erased: 0, unreadable: 0 })
  const client = await installation.desk.database.client()
  await client.query("update operations set updated_at = updated_at - interval '2 days'")
  expect((await erase()).json).toEqual({ erased: 1, unreadable: 0 })
  after = await readProof()
}, 120_000)
afterAll(() => installation.close())

const verdictsOf = async (proof: Json, ...args: ReadonlyArray<string>) => {
  const out: Array<string> = []
  const code = await runVerify(["--json", installation.desk.file("tried.json", JSON.stringify(proof)), ...args], { write: (text) => out.push(text), writeError: (text) => out.push(text) })
  const [report] = JSON.parse(out.join("")) as ReadonlyArray<{ readonly findings: ReadonlyArray<{ readonly subject: string; readonly verdict: string }> }>
  return { code, verdicts: Object.fromEntries((report?.findings ?? []).map(({ subject, verdict }) => [subject, verdict])) }
}

const changed = (change: (copy: Json) => void): Json => {
  const copy = structuredClone(after)
  change(copy)
  return copy
}

describe("a document that was erased from", () => {
  it("is the same document; its request lacks metadata and the cashier's name, receipt, fingerprint and leaves are as before", async () => {
    const { json } = await call("GET", `/v1/fiscal-documents/${document.id}`)
    expect(json).toEqual({ ...document, updatedAt: json.updatedAt })
    expect(JSON.stringify(after)).not.toMatch(/Ана Јовић|0641234567/)
    expect([after.request.fingerprint, after.request.canonical, after.request.erased.at]).toEqual([before.request.fingerprint, null, readErasure(after.request.erased.note)?.at])
    expect([after.answer, after.journal.entries.map(({ leaf }: Json) => leaf)]).toEqual([before.answer, before.journal.entries.map(({ leaf }: Json) => leaf)])
  })

  it("answers a repeat of the same request with the same receipt, and another request with a 409", async () => {
    const { json, replayed, status } = await sell()
    expect([status, replayed, json.id, json.pfr]).toEqual([200, "true", document.id, document.pfr])
    const other = await call("POST", "/v1/fiscal-documents", { "Idempotency-Key": key }, { ...saleBody(), metadata: undefined, cashier: { id: "web" } })
    expect([other.status, other.json.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST"])
  })

  it("has a proof that proves what was left; the one from before is still proven whole", async () => {
    expect(await verdictsOf(after, logKey)).toMatchObject({
      code: 0,
      verdicts: { requestErased: "PROVEN", answerFits: "PROVEN", checkpointSigned: "PROVEN", entriesIn: "PROVEN", leavesFit: "PROVEN" }
    })
    const { verdicts } = await verdictsOf(after)
    expect(verdicts).toMatchObject({ requestErasedOwnKey: "CLAIMED", leavesFit: "PROVEN" })
    expect((await verdictsOf(before, logKey)).verdicts).toMatchObject({ canonicalFits: "PROVEN", fingerprintFits: "PROVEN", leavesFit: "PROVEN" })
  })

  it.each<readonly [string, (copy: Json) => void]>([
    ["another request", (copy) => void (copy.request.received = copy.request.received.replace("Књига", "Свеска"))],
    ["the request from before", (copy) => void (copy.request.received = before.request.received)],
    ["no note", (copy) => void (copy.request.erased = { at: copy.request.erased.at })],
    ["a note that is none", (copy) => void (copy.request.erased = true)],
    ["another document's id", (copy) => void (copy.document.id = randomUUID())],
    ["a note with a digest changed", (copy) => void (copy.request.erased.note = copy.request.erased.note.replace(/request [0-9a-f]/, (found: string) => found.endsWith("1") ? "request 0" : "request 1"))],
    ["a note by another key", (copy) => {
      const erasure = readErasure(copy.request.erased.note) ?? expect.fail("no erasure")
      copy.request.erased.note = signNote(erasureText(erasure), copy.journal.publicKey.split("+")[0], new Uint8Array(32).fill(1))
    }]
  ])("is contradicted by a proof with %s", async (_what, change) => {
    const { code, verdicts } = await verdictsOf(changed(change), logKey)
    expect([code, verdicts["erasureWrong"]]).toEqual([1, "CONTRADICTED"])
  })

  it("is contradicted by a proof that hides the erasure", async () => {
    const { code, verdicts } = await verdictsOf(changed((copy) => void delete copy.request.erased), logKey)
    expect([code, verdicts["leafWrong"]]).toEqual([1, "CONTRADICTED"])
  })

  it("is named by `journal verify`, which finds nothing", async () => {
    const { code, out } = await installation.desk.admin(["journal", "verify"])
    expect([code, out.includes("personal data was erased from 1 documents")]).toEqual([0, true])
  })

  it("gets its key held from that proof after a restore; a proof that was changed is refused", async () => {
    const { desk, shop } = installation
    await forgetDocument(await desk.database.client(), document.id)
    const takeBack = async (proof: Json) => {
      const { json } = await desk.admin(["restore", "take-back", shop.organizationId, desk.file("kept.json", JSON.stringify(proof)), "--environment", "sandbox", "--reason", "test", "--json"])
      return json.items[0]
    }
    expect((await desk.admin(["restore", "begin", "--since", "2026-01-01", "--reason", "test"])).code).toBe(0)
    expect((await takeBack(changed((copy) => void (copy.request.received = copy.request.received.replace("Књига", "Свеска"))))).result).toBe("REFUSED")
    expect(await takeBack(after)).toMatchObject({ as: "Key", result: "PUT_BACK" })
    expect((await desk.admin(["restore", "end", "--reason", "test", "--yes"])).code).toBe(0)
    await expect.poll(async () => (await sell()).status, { timeout: 10_000 }).toBe(409)
  }, 60_000)
})
