import { fingerprint, noteKeyOf, readBodyTree, signNote, verifierKey } from "@overa/domain"
import { Result } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { VpfrControl } from "../src/http/VpfrControl.ts"
import { forgetDocument } from "../src/support/byHand.ts"
import { bookSale, type ShopCaller, shopCaller } from "../src/support/shopCaller.ts"
import { type WholeInstallation, wholeInstallation } from "../src/support/wholeInstallation.ts"

let installation: WholeInstallation
let call: ShopCaller
beforeAll(async () => {
  installation = await wholeInstallation()
  call = await shopCaller(installation)
}, 120_000)
afterAll(() => installation.close())

// The cases change proofs deep inside.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

const sellCopy = (id: string, key: string) => call("POST", `/v1/fiscal-documents/${id}/copies`, { "Idempotency-Key": key }, { clientReference: key, cashier: { id: "web" } })

const sell = (key: string, unitPrice?: number) => call("POST", "/v1/fiscal-documents", { "Idempotency-Key": key }, bookSale(installation.shop, key, unitPrice))

/** A receipt and its proof, which has its place in the log. */
const sealedProof = async () => {
  const key = `kept-${randomUUID()}`
  const { json: document } = await sell(key)
  const read = async (): Promise<Json> => (await call("GET", `/v1/fiscal-documents/${document.id}/proof`)).json
  await expect.poll(async () => (await read()).journal?.entries.length, { timeout: 30_000 }).toBe(4)
  return { key, document, proof: await read() }
}

const takeBack = async (value: unknown, options: { readonly organization?: string; readonly environment?: string } = {}) => {
  const { desk, shop } = installation
  const file = desk.file(`${randomUUID()}.json`, typeof value === "string" ? value : JSON.stringify(value))
  const { code, err, json } = await desk.admin([
    "restore", "take-back", options.organization ?? shop.organizationId, file, "--environment", options.environment ?? "sandbox", "--reason", "test", "--json"
  ])
  const [line] = (json?.items ?? []) as ReadonlyArray<{ readonly as: string; readonly result: string; readonly detail: string }>
  return { code, err, line }
}

const declared = async <A>(body: () => Promise<A>): Promise<A> => {
  const { desk } = installation
  expect((await desk.admin(["restore", "begin", "--since", "2026-01-01", "--reason", "test"])).code).toBe(0)
  try {
    return await body()
  } finally {
    expect((await desk.admin(["restore", "end", "--reason", "test", "--yes"])).code).toBe(0)
  }
}

/** Removes a document, as a restore to an earlier point does. */
const forget = async (id: string): Promise<void> => forgetDocument(await installation.desk.database.client(), id)

/** The database as a restore leaves it: with this row in the place of a document. */
const restore = async (id: string, row: Json) => {
  await forget(id)
  const client = await installation.desk.database.client()
  try {
    return await client.query("insert into operations select (jsonb_populate_record(null::operations, $1::jsonb)).* returning operation_id", [JSON.stringify(row)])
  } finally {
    await client.end()
  }
}

/** A sale that could not be sent at first and was signed later, in the state of a restore to the time between. */
const signedAfterThePoint = async () => {
  const [client, vpfr] = [await installation.desk.database.client(), new VpfrControl(installation.desk.simulator.controlUrl)]
  try {
    const key = `later-${randomUUID()}`
    await vpfr.fault({ fault: "refuse-connection" })
    const { json: unsent } = await sell(key)
    await vpfr.clearFaults()
    expect(unsent).toMatchObject({ status: "NOT_FISCALIZED", retryable: true })
    const { rows: [before] } = await client.query("select to_jsonb(o) as row from operations o where operation_id = $1", [unsent.id])
    const { json: document } = await sell(key)
    expect(document).toMatchObject({ id: unsent.id, fiscalized: true })
    const proof = (await call("GET", `/v1/fiscal-documents/${document.id}/proof`)).json
    await restore(document.id, before.row)
    return { key, document, proof: changed(proof, (copy) => void (copy.journal = null)), signed: (await vpfr.receipts()).length, vpfr }
  } finally {
    await client.end()
  }
}

/** The copy of a cash refund that could not be sent at first and was signed later: its proof, and its row from the time between. */
const copySignedAfterThePoint = async () => {
  const [client, vpfr] = [await installation.desk.database.client(), new VpfrControl(installation.desk.simulator.controlUrl)]
  try {
    const { businessPremiseId, items: [item], taxpayerId } = bookSale(installation.shop, "back")
    const { json: sale } = await sell(`paid-${randomUUID()}`)
    const refund = {
      taxpayerId, businessPremiseId, clientReference: "back", original: { source: "SVC", fiscalDocumentId: sale.id }, cashier: { id: "web" }, buyer: { id: "20:123456789" },
      items: [{ ...item, originalLineIndex: 0 }], payments: [{ type: "CASH", amount: 100 }]
    }
    const send = async (key: string) => call("POST", "/v1/refund-workflows", { "Idempotency-Key": key }, refund)
    const key = `back-${randomUUID()}`
    await vpfr.faultOnSecond({ fault: "status", code: 403 })
    const { json: pending } = await send(key)
    const { rows: [before] } = await client.query("select to_jsonb(o) as row from operations o where operation_id = $1", [pending.cashRefundCopy.id])
    await vpfr.clearFaults()
    expect([pending.status, before.row.status]).toEqual(["COPY_PENDING", "NOT_FISCALIZED"])
    await expect.poll(async () => (await send(key)).json.status, { timeout: 30_000 }).toBe("COMPLETED")
    const { cashRefundCopy: copy } = (await send(key)).json
    const proof = (await call("GET", `/v1/fiscal-documents/${copy.id}/proof`)).json
    return { copy, proof: changed(proof, (it) => void (it.journal = null)), row: before.row as Json, signed: (await vpfr.receipts()).length, vpfr }
  } finally {
    await client.end()
  }
}

/** The row of a document that was not sent: as it was after its last attempt, or before the first one. */
const unsentRow = (row: Json, state: Json): Json => state.status === undefined ? row : {
  ...row, ...state,
  history: `${row.history.split("\n").slice(0, 2).join("\n")}\n`,
  request_id: null, element_id: null, jid: null, sender_host: null, sender_boot: null, started_at: null, first_outcome: null
}

const changed = (proof: Json, change: (copy: Json) => void): Json => {
  const copy = structuredClone(proof)
  change(copy)
  return copy
}

const otherRequest = (copy: Json): void => {
  copy.request.received = copy.request.received.replaceAll("100", "200")
  const tree = Result.getOrThrow(readBodyTree(copy.request.received))
  copy.request.fingerprint = fingerprint(`${copy.request.method} ${copy.request.path}`, tree).digest
}

const mallory = new Uint8Array(32).fill(1)

describe("`admin restore take-back`", () => {
  it("is refused where no restore is declared", async () => {
    const { proof } = await sealedProof()
    await forget(proof.document.id)
    const { code, err } = await takeBack(proof)
    expect([code, err.trim()]).toEqual([2, "No restore is declared."])
  })

  it("believes no file that was changed, and nothing of another tenant", async () => {
    const [{ proof }, { proof: other }] = [await sealedProof(), await sealedProof()]
    await forget(proof.document.id)
    const { json: stranger } = await installation.desk.admin(["organizations", "add", "Туђа", "--reason", "test", "--json"])
    const unsealed = (change: (copy: Json) => void) => changed(proof, (copy) => {
      copy.journal = null
      change(copy)
    })
    const cases: ReadonlyArray<readonly [what: string, value: unknown, reason: RegExp, options?: Parameters<typeof takeBack>[1]]> = [
      ["another organization", proof, /no such element/, { organization: stranger.id }],
      ["the other environment", proof, /no such element/, { environment: "production" }],
      ["another taxpayer", changed(proof, (copy) => void (copy.document.taxpayerId = randomUUID())), /no such element/],
      ["a request changed", changed(proof, (copy) => void (copy.request.received = copy.request.received.replace("web", "wax"))), /fingerprint/],
      ["a request changed with its fingerprint", changed(proof, otherRequest), /sealed request/],
      ["the same without its place in the log", unsealed(otherRequest), /totalAmount of the answer is 100/],
      ["another document's id", changed(proof, (copy) => void (copy.document.id = other.document.id)), /sealed document/],
      ["another receipt's link", unsealed((copy) => void (copy.document.pfr.verificationUrl = other.document.pfr.verificationUrl)), /the link is that of/],
      ["another receipt's answer", changed(proof, (copy) => void (copy.answer = other.answer)), /sealed answer/],
      ["the same without its place in the log", unsealed((copy) => void (copy.answer = other.answer)), /another number/],
      ["a damaged link", unsealed((copy) => void (copy.document.pfr.verificationUrl = copy.document.pfr.verificationUrl.replace(/.{6}$/, "AAAAAA"))), /damaged|cannot be read/],
      ["another place in the log", changed(proof, (copy) => void (copy.journal.entries[0].index += 1)), /not in the checkpoint/],
      ["a leaf changed", changed(proof, (copy) => void (copy.journal.entries[0].leaf = copy.journal.entries[0].leaf.replace("RECEIVED", "VALIDATED"))), /not in the checkpoint/],
      ["another installation's log", changed(proof, (copy) => void (copy.journal.origin = `other/${copy.journal.origin}`)), /another organization, environment or installation/],
      ["a checkpoint signed by somebody else", changed(proof, (copy) => {
        const [name] = verifierKey(noteKeyOf(copy.journal.origin.split("/").slice(0, 2).join("/"), mallory)).split("+")
        copy.journal.checkpoint = signNote(copy.journal.checkpoint.split("\n\n")[0] + "\n", name ?? "", mallory)
      }), /not signed by a key of this installation/],
      ["no JSON", "nonsense", /neither a proof nor a document/],
      ["JSON of something else", { id: 1 }, /neither a proof nor a document/]
    ]
    await declared(async () => {
      for (const [what, value, reason, options] of cases) {
        const { code, line } = await takeBack(value, options)
        expect([what, code, line?.result]).toEqual([what, 3, "REFUSED"])
        expect(line?.detail, what).toMatch(reason)
      }
      expect((await takeBack(proof)).line?.result).toBe("PUT_BACK")
    })
  }, 120_000)

  it("brings a sale back with its key, which hears of the same receipt again and signs nothing", async () => {
    const { document, key, proof } = await sealedProof()
    await forget(document.id)
    await declared(async () => {
      const { line } = await takeBack(proof)
      expect([line?.as, line?.result]).toEqual(["Operation", "PUT_BACK"])
    })
    await expect.poll(async () => (await call("GET", `/v1/fiscal-documents/${document.id}`)).json.status, { timeout: 30_000 }).toBe("FISCALIZED")
    await expect.poll(async () => (await sell(key)).status, { timeout: 10_000 }).toBe(200)
    const { json } = await sell(key)
    expect([json.id, json.pfr, json.createdAt]).toEqual([document.id, document.pfr, document.createdAt])
    expect((await sell(key, 300)).json.code).toBe("IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST")
    const { out } = await installation.desk.admin(["activity", "search", document.id])
    expect(out).toContain("operation taken back after a restore")
  }, 60_000)

  it("brings back the attempt that signed a sale of which the database only knows that it was not sent", async () => {
    const { document, key, proof, signed, vpfr } = await signedAfterThePoint()
    await declared(async () => {
      expect((await call("GET", `/v1/fiscal-documents/${document.id}`)).json.status).toBe("NOT_FISCALIZED")
      const results = [await takeBack(proof), await takeBack(proof)].map(({ line }) => `${line?.as} ${line?.result}`)
      expect(results).toEqual(["Operation ATTEMPT_PUT_BACK", "Operation KNOWN"])
      await expect.poll(async () => (await call("GET", `/v1/fiscal-documents/${document.id}`)).json.status, { timeout: 30_000 }).toBe("FISCALIZED")
    })
    await expect.poll(async () => (await sell(key)).status, { timeout: 10_000 }).toBe(200)
    expect((await sell(key)).json.pfr).toEqual(document.pfr)
    expect((await vpfr.receipts()).length).toBe(signed)
  }, 60_000)

  it.each([
    ["that was not sent then", { status: "VALIDATED", revision: 2, attempt: 0, failure_code: null }, (row: Json) => row],
    ["that could not be sent then", {}, (row: Json) => row],
    ["that the service has made again under another id since", {}, (row: Json) => ({ ...row, operation_id: randomUUID() })]
  ])("brings back the attempt that signed a copy %s, which the service would send otherwise", async (_what, state, made) => {
    const { copy, proof, row, signed, vpfr } = await copySignedAfterThePoint()
    await declared(async () => {
      const { rows: [{ operation_id: id }] } = await restore(copy.id, made(unsentRow(row, state)))
      const results = [await takeBack(copy), await takeBack(proof), await takeBack(proof)].map(({ code, line }) => `${code} ${line?.as} ${line?.result}`)
      expect(results).toEqual([id === copy.id ? "3 Key UNSIGNED" : "0 Key PUT_BACK", "0 Key ATTEMPT_PUT_BACK", "0 Key KNOWN"])
      await expect.poll(async () => (await call("GET", `/v1/fiscal-documents/${id}`)).json.status, { timeout: 30_000 }).toBe("FISCALIZED")
      expect((await call("GET", `/v1/fiscal-documents/${id}`)).json.pfr).toEqual(copy.pfr)
    })
    await expect.poll(async () => (await sell(`new-${randomUUID()}`)).status, { timeout: 10_000 }).toBe(201)
    expect((await vpfr.receipts()).length).toBe(signed + 1)
  }, 60_000)

  it("leaves a document alone to which the kept file does not belong, and a final sale that waits for its Advance Refund", async () => {
    const { copy, proof, row } = await copySignedAfterThePoint()
    const final = { workflow_type: "ADVANCE", workflow_id: randomUUID(), invoice_type: "NORMAL", transaction_type: "SALE" }
    await declared(async () => {
      for (const other of [{ fingerprint_digest: "0".repeat(64) }, { key: "another:copy" }, final]) {
        await restore(copy.id, unsentRow({ ...row, ...other }, { status: "VALIDATED", revision: 2, attempt: 0, failure_code: null }))
        expect((await takeBack(proof)).line?.result, JSON.stringify(other)).toBe("UNSIGNED")
      }
      await forget(copy.id)
    })
  }, 60_000)

  it("says of a document that the database knows without its receipt that it would be signed again, where the attempt was not kept", async () => {
    const { document, proof } = await signedAfterThePoint()
    await declared(async () => {
      const otherKey = changed(proof, (copy) => void (copy.document.idempotencyKey = `other-${randomUUID()}`))
      for (const kept of [document, otherKey]) {
        const { code, line } = await takeBack(kept)
        expect([code, line?.result]).toEqual([3, "UNSIGNED"])
        expect(line?.detail).toMatch(/signed again/)
      }
      expect((await takeBack({ ...document, status: "NOT_FISCALIZED" })).line?.result).toBe("KNOWN")
    })
  }, 60_000)

  it("holds the key where only the answer was kept, and for what is no plain sale", async () => {
    const { document, key, proof } = await sealedProof()
    const copyKey = `copy-${randomUUID()}`
    const { json: copy } = await sellCopy(document.id, copyKey)
    expect(copy.status).toBe("FISCALIZED")
    const copyProof = (await call("GET", `/v1/fiscal-documents/${copy.id}/proof`)).json
    await forget(copy.id)
    await forget(document.id)
    await declared(async () => {
      const taken = [await takeBack(document), await takeBack(proof), await takeBack(copyProof)]
      expect(taken.map(({ line }) => `${line?.as} ${line?.result}`)).toEqual(["Key PUT_BACK", "Operation KNOWN", "Key PUT_BACK"])
    })
    await expect.poll(async () => (await sell(`new-${randomUUID()}`)).status, { timeout: 10_000 }).toBe(201)
    const repeated = [await sell(key), await sell(copyKey), await sellCopy(document.id, copyKey)]
    for (const { json, status } of repeated) expect([status, json.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST"])
  }, 60_000)

  it("puts a thing back once, however many ask at once, and never over another's key", async () => {
    const [one, other] = [await sealedProof(), await sealedProof()]
    await forget(one.document.id)
    await declared(async () => {
      const results = await Promise.all([1, 2, 3].map(async () => (await takeBack(one.proof)).line?.result))
      expect(results.toSorted()).toEqual(["KNOWN", "KNOWN", "PUT_BACK"])
      const stolen = { ...other.document, id: randomUUID(), idempotencyKey: one.key }
      expect((await takeBack(stolen)).line?.result).toBe("KEY_TAKEN")
    })
  }, 60_000)
})
