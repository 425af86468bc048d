import { fingerprint, noteKeyOf, readBodyTree, signNote, verifierKey } from "@overa/domain"
import { Result } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { changed, RestoredShop, unsentRow } from "../../src/support/RestoredShop.ts"

let shop: RestoredShop
beforeAll(async () => {
  shop = await RestoredShop.open()
}, 120_000)
afterAll(() => shop.close())

// The cases change proofs deep inside.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

/** A receipt and its proof, which has its place in the log. */
const sealedProof = async () => {
  const key = `kept-${randomUUID()}`
  const { json: document } = await shop.sell(key)
  await expect.poll(async () => (await shop.proofOf(document.id)).journal?.entries.length, { timeout: 30_000 }).toBe(4)
  return { key, document, proof: await shop.proofOf(document.id) }
}

const otherRequest = (copy: Json): void => {
  copy.request.received = copy.request.received.replaceAll(":100", ":200")
  const tree = Result.getOrThrow(readBodyTree(copy.request.received))
  copy.request.fingerprint = fingerprint(`${copy.request.method} ${copy.request.path}`, tree).digest
}

const mallory = new Uint8Array(32).fill(1)

describe("`admin restore take-back`", () => {
  it("is refused where no restore is declared", async () => {
    const { proof } = await sealedProof()
    await shop.forget(proof.document.id)
    const { code, err } = await shop.takeBack(proof)
    expect([code, err.trim()]).toEqual([2, "No restore is declared."])
  })

  it("believes no file that was changed, and nothing of another tenant", async () => {
    const [{ proof }, { proof: other }] = [await sealedProof(), await sealedProof()]
    await shop.forget(proof.document.id)
    const { json: stranger } = await shop.installation.desk.admin(["organizations", "add", "Туђа", "--reason", "test", "--json"])
    const unsealed = (change: (copy: Json) => void) => changed(proof, (copy) => {
      copy.journal = null
      change(copy)
    })
    const cases: ReadonlyArray<readonly [what: string, value: unknown, reason: RegExp, options?: Parameters<RestoredShop["takeBack"]>[1]]> = [
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
    await shop.declared(async () => {
      for (const [what, value, reason, options] of cases) {
        const { code, line } = await shop.takeBack(value, options)
        expect([what, code, line?.result]).toEqual([what, 3, "REFUSED"])
        expect(line?.detail, what).toMatch(reason)
      }
      expect((await shop.takeBack(proof)).line?.result).toBe("PUT_BACK")
    })
  }, 120_000)

  it("brings a sale back with its key, which hears of the same receipt again and signs nothing", async () => {
    const { document, key, proof } = await sealedProof()
    await shop.forget(document.id)
    await shop.declared(async () => {
      const { line } = await shop.takeBack(proof)
      expect([line?.as, line?.result]).toEqual(["Operation", "PUT_BACK"])
    })
    await expect.poll(async () => (await shop.documentOf(document.id)).status, { timeout: 30_000 }).toBe("FISCALIZED")
    await expect.poll(async () => (await shop.sell(key)).status, { timeout: 10_000 }).toBe(200)
    const { json } = await shop.sell(key)
    expect([json.id, json.pfr, json.createdAt]).toEqual([document.id, document.pfr, document.createdAt])
    expect((await shop.sell(key, 300)).json.code).toBe("IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST")
    const { out } = await shop.installation.desk.admin(["activity", "search", document.id])
    expect(out).toContain("operation taken back after a restore")
  }, 60_000)

  it("brings back the attempt that signed a sale of which the database only knows that it was not sent", async () => {
    const { document, key, proof, signed } = await shop.saleSignedAfterThePoint()
    await shop.declared(async () => {
      expect((await shop.documentOf(document.id)).status).toBe("NOT_FISCALIZED")
      const results = [await shop.takeBack(proof), await shop.takeBack(proof)].map(({ line }) => `${line?.as} ${line?.result}`)
      expect(results).toEqual(["Operation ATTEMPT_PUT_BACK", "Operation KNOWN"])
      await expect.poll(async () => (await shop.documentOf(document.id)).status, { timeout: 30_000 }).toBe("FISCALIZED")
    })
    await expect.poll(async () => (await shop.sell(key)).status, { timeout: 10_000 }).toBe(200)
    expect((await shop.sell(key)).json.pfr).toEqual(document.pfr)
    expect(await shop.signed()).toBe(signed)
  }, 60_000)

  it.each([
    ["that was not sent then", { status: "VALIDATED", revision: 2, attempt: 0, failure_code: null }, (row: Json) => row],
    ["that could not be sent then", {}, (row: Json) => row],
    ["that the service has made again under another id since", {}, (row: Json) => ({ ...row, operation_id: randomUUID() })]
  ])("brings back the attempt that signed a copy %s, which the service would send otherwise", async (_what, state, made) => {
    const { copy, proof, row, signed } = await shop.copySignedAfterThePoint()
    await shop.declared(async () => {
      const id = await shop.restore(copy.id, made(unsentRow(row, state)))
      const results = [await shop.takeBack(copy), await shop.takeBack(proof), await shop.takeBack(proof)].map(({ code, line }) => `${code} ${line?.as} ${line?.result}`)
      expect(results).toEqual(["3 Key UNSIGNED", "0 Key ATTEMPT_PUT_BACK", "0 Key KNOWN"])
      await expect.poll(async () => (await shop.documentOf(id)).status, { timeout: 30_000 }).toBe("FISCALIZED")
      expect((await shop.documentOf(id)).pfr).toEqual(copy.pfr)
    })
    await expect.poll(async () => (await shop.sell(`new-${randomUUID()}`)).status, { timeout: 10_000 }).toBe(201)
    expect(await shop.signed()).toBe(signed + 1)
  }, 60_000)

  it("leaves a document alone to which the kept file does not belong, and a final sale that waits for its Advance Refund", async () => {
    const { copy, proof, row } = await shop.copySignedAfterThePoint()
    const unsent = (other: Json): Json => unsentRow({ ...row, ...other }, { status: "VALIDATED", revision: 2, attempt: 0, failure_code: null })
    const inCase = { workflow_type: "ADVANCE", workflow_id: randomUUID() }
    const refund = unsent({ ...inCase, operation_id: randomUUID(), key: `${row.key}:advance-refund`, invoice_type: "ADVANCE", transaction_type: "REFUND" })
    const final = { ...inCase, invoice_type: "NORMAL", transaction_type: "SALE" }
    await shop.declared(async () => {
      await shop.restore(refund.operation_id, refund)
      for (const [other, result] of [[{ fingerprint_digest: "0".repeat(64) }, "UNSIGNED"], [{ key: "another:copy" }, "UNSIGNED"], [final, "KEPT"]] as const) {
        await shop.restore(copy.id, unsent(other))
        expect((await shop.takeBack(proof)).line?.result, JSON.stringify(other)).toBe(result)
      }
      await shop.forget(refund.operation_id)
      await shop.forget(copy.id)
    })
  }, 60_000)

  it("says of a document that the database knows without its receipt that it may have a receipt, where the attempt was not kept", async () => {
    const { document, proof } = await shop.saleSignedAfterThePoint()
    await shop.declared(async () => {
      const otherKey = changed(proof, (copy) => void (copy.document.idempotencyKey = `other-${randomUUID()}`))
      for (const kept of [document, otherKey]) {
        const { code, line } = await shop.takeBack(kept)
        expect([code, line?.result]).toEqual([3, "UNSIGNED"])
        expect(line?.detail).toMatch(/goes to the attention list/)
      }
      expect((await shop.takeBack({ ...document, status: "NOT_FISCALIZED" })).line?.result).toBe("KNOWN")
    })
  }, 60_000)

  it("holds the key where only the answer was kept, and for what is no plain sale; a proof given after the answer brings the sale back", async () => {
    const [alone, { document, key, proof }] = [await sealedProof(), await sealedProof()]
    const copyKey = `copy-${randomUUID()}`
    const { json: copy } = await shop.sellCopy(document.id, copyKey)
    expect(copy.status).toBe("FISCALIZED")
    const copyProof = await shop.proofOf(copy.id)
    for (const { id } of [copy, document, alone.document]) await shop.forget(id)
    await shop.declared(async () => {
      const told = [await shop.told(alone.document), await shop.told(document), await shop.told(proof), await shop.told(document), await shop.told(copyProof)]
      expect(told).toEqual(["0 Key PUT_BACK", "0 Key PUT_BACK", "0 Operation PUT_BACK", expect.stringMatching(/Key UNRESOLVED|Key KNOWN/), "0 Key PUT_BACK"])
      await shop.becomes(document.id, "FISCALIZED")
    })
    await shop.goesOn()
    expect((await shop.sell(key)).json.pfr).toEqual(document.pfr)
    const repeated = [await shop.sell(alone.key), await shop.sell(copyKey), await shop.sellCopy(document.id, copyKey)]
    for (const { json, status } of repeated) expect([status, json.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST"])
  }, 60_000)

  it("puts a thing back once, however many ask at once, and never over another's key", async () => {
    const [one, other] = [await sealedProof(), await sealedProof()]
    await shop.forget(one.document.id)
    await shop.declared(async () => {
      const results = await Promise.all([1, 2, 3].map(async () => (await shop.takeBack(one.proof)).line?.result))
      expect(results.toSorted()).toEqual(["KNOWN", "KNOWN", "PUT_BACK"])
      const stolen = { ...other.document, id: randomUUID(), idempotencyKey: one.key }
      expect((await shop.takeBack(stolen)).line?.result).toBe("KEY_TAKEN")
    })
  }, 60_000)
})
