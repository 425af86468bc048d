import { spawn } from "node:child_process"
import { once } from "node:events"
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { DurableLog } from "../src/receipts/DurableLog.ts"
import { type Element, type RunningSimulator, startSimulator } from "../src/index.ts"
import { bakery, sale } from "./support/requests.ts"
import type { Json } from "./support/Json.ts"
import { VpfrClient } from "./support/VpfrClient.ts"

let dataDirectory: string

beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), "vpfr-simulator-test-"))
})
afterEach(() => rmSync(dataDirectory, { recursive: true }))

const control = async (simulator: RunningSimulator, path: string) => (await fetch(simulator.controlUrl + path)).json() as Promise<Json>

describe("A restart forgets nothing", () => {
  it("keeps elements, trust, signers, rates, receipts and counters; faults are gone", async () => {
    const before = await startSimulator({ dataDirectory, signers: 1 })
    const element = await before.issueElement(bakery)
    const revoked = await before.issueElement({ ...bakery, sameKeyAs: element.jid })
    await before.revokeElement(revoked.jid)
    const client = new VpfrClient(before, element)
    const first = await client.submit(sale, "kept")
    await client.submit({ ...sale, invoiceType: 3 }, "training")
    const category = { name: "VAT", categoryType: 0, taxRates: [{ label: "A", rate: 9.5 }] }
    const scheduled = { environment: "sandbox", validFrom: "2090-01-01T00:00:00+01:00", taxCategories: [category] }
    expect((await fetch(`${before.controlUrl}/tax-rates`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(scheduled) })).status).toBe(201)
    await before.addFault({ fault: "hang" })
    const [signers, anchors] = [await control(before, "/signers"), before.trustAnchorsPem("sandbox")]
    client.close()
    await before.stop()

    const after = await startSimulator({ dataDirectory, signers: 1 })
    expect(after.trustAnchorsPem("sandbox")).toBe(anchors)
    expect(await control(after, "/signers")).toEqual(signers)
    expect((await control(after, `/elements/${element.jid}`)).pfxBase64).toBe(Buffer.from(element.pfx).toString("base64"))
    expect((await control(after, "/tax-rates")).sandbox[0]).toMatchObject({ validFrom: "2089-12-31T23:00:00Z", groupId: 10 })
    const again = new VpfrClient(after, element)
    expect((await again.search("kept")).text).toBe(first.text)
    expect((await control(after, "/receipts")).count).toBe(2)
    const next = await again.submit(sale, "next")
    expect([next.json.totalCounter, next.json.transactionTypeCounter]).toEqual([3, 2])
    expect((await control(after, "/receipts?limit=1")).receipts[0].invoiceNumber).toBe(next.json.invoiceNumber)
    const former = new VpfrClient(after, revoked)
    expect((await former.submit(sale)).status).toBe(403)
    former.close()
    again.close()
    await after.stop()
  })

  it("survives a kill: every receipt answered is found again, and none was answered that is not", async () => {
    const start = async () => {
      const child = spawn(process.execPath, [new URL("../src/main.ts", import.meta.url).pathname], {
        env: {
          ...process.env,
          OVERA_SIMULATOR_DATA: dataDirectory,
          ...Object.fromEntries(
            ["CONTROL", "SANDBOX", "SANDBOX_VERIFICATION", "PRODUCTION", "PRODUCTION_VERIFICATION"].map((name) => [`OVERA_SIMULATOR_${name}_PORT`, "0"])
          )
        },
        stdio: ["pipe", "pipe", "inherit"]
      })
      const [line] = await once(createInterface(child.stdout), "line")
      const ready = JSON.parse(String(line))
      const { sandbox } = await (await fetch(`${ready.controlUrl}/ca`)).json() as Json
      return { child, simulator: { ...ready, trustAnchorsPem: () => sandbox.rootPem } as RunningSimulator }
    }
    const first = await start()
    const issued = await fetch(`${first.simulator.controlUrl}/elements`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(bakery) })
    const element = await issued.json() as Element
    const client = new VpfrClient(first.simulator, element)
    const answered: Array<{ readonly requestId: string; readonly text: string }> = []
    const submitting = Array.from({ length: 8 }, async (_, lane) => {
      for (let turn = 0; turn < 100; turn++) {
        const requestId = `${lane}-${turn}`
        const { text } = await client.submit(sale, requestId)
        answered.push({ requestId, text })
        if (answered.length === 60) first.child.kill("SIGKILL")
      }
    })
    await Promise.allSettled(submitting)
    client.close()

    const second = await start()
    const again = new VpfrClient(second.simulator, element)
    for (const { requestId, text } of answered) expect((await again.search(requestId)).text).toBe(text)
    const { receipts } = await control(second.simulator, "/receipts")
    expect(new Set(receipts.map((receipt: Json) => receipt.invoiceNumber)).size).toBe(receipts.length)
    expect(receipts.length).toBeGreaterThanOrEqual(answered.length)
    const numbers = new Set(receipts.map((receipt: Json) => receipt.invoiceNumber))
    expect(numbers.has((await again.submit(sale)).json.invoiceNumber)).toBe(false)
    again.close()
    second.child.kill("SIGTERM")
    await once(second.child, "exit")
  })

  it("refuses a directory another simulator has open", async () => {
    const running = await startSimulator({ dataDirectory })
    await expect(startSimulator({ dataDirectory })).rejects.toThrow("already open")
    await running.stop()
    const again = await startSimulator({ dataDirectory })
    await again.stop()
  })

  it("takes over from a holder that is dead", async () => {
    writeFileSync(join(dataDirectory, "simulator.lock"), "999999999")
    const running = await startSimulator({ dataDirectory })
    expect(readFileSync(join(dataDirectory, "simulator.lock"), "utf8")).toBe(String(process.pid))
    await running.stop()
  })
})

describe("The append-only file", () => {
  const linesOf = async (path: string) => {
    const log = await DurableLog.open(path)
    const lines: Array<readonly [string, number]> = []
    await log.readAll((line, offset) => lines.push([line, offset]))
    return { log, lines }
  }

  it("gives lines back by their offsets, however they were batched", async () => {
    const path = join(dataDirectory, "log")
    const { log } = await linesOf(path)
    const texts = Array.from({ length: 200 }, (_, index) => `Рачун ${index} ${"x".repeat(index * 37)}`)
    const offsets = await Promise.all(texts.map((text) => log.append(text)))
    for (const [index, offset] of offsets.entries()) {
      expect(await log.readLine(offset, Buffer.byteLength(texts[index] ?? ""))).toBe(texts[index])
    }
    await log.close()
    const again = await linesOf(path)
    expect(again.lines).toEqual(texts.map((text, index) => [text, offsets[index]]))
    await again.log.close()
  })

  it("cuts off a torn last line and goes on behind the last whole one", async () => {
    const path = join(dataDirectory, "log")
    appendFileSync(path, "one\ntwo\nthr")
    const { lines, log } = await linesOf(path)
    expect(lines).toEqual([["one", 0], ["two", 4]])
    expect(await log.append("three")).toBe(8)
    await log.close()
    expect(readFileSync(path, "utf8")).toBe("one\ntwo\nthree\n")
  })

  it("names the damaged place", async () => {
    writeFileSync(join(dataDirectory, "receipts-sandbox.ndjson"), "{\"x\":1}\t{}\nnonsense\n")
    await expect(startSimulator({ dataDirectory })).rejects.toThrow(/receipts-sandbox\.ndjson is damaged at byte/)
  })
})
