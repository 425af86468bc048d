import { decodeRefundRequest, readBodyTree } from "@overa/domain"
import { Ajv2020 } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { Result } from "effect"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { ApiTarget } from "../src/http/ApiTarget.ts"
import { sampleSale } from "../src/http/sampleSale.ts"
import { sandboxTarget } from "../src/http/sandboxTarget.ts"
import { accessToken } from "../src/support/accessToken.ts"
import { decodeQr, greyOfPng } from "../src/support/decodeQr.ts"
import { pdfLines, readPdf } from "../src/support/pdfText.ts"
import { type SandboxProcess, startSandboxProcess } from "../src/support/sandboxProcess.ts"

const given = process.env["OVERA_SANDBOX_FILE"]
const formats = ["official-text", "canonical-json", "pdf-a4", "pdf-80mm", "pdf-58mm", "preview-png", "qr-svg"] as const

interface Issued {
  readonly id: string
  readonly pfr: { readonly invoiceNumber: string; readonly journal: string; readonly verificationUrl: string }
  readonly receipt: Readonly<Record<string, string>>
}

let own: SandboxProcess | null = null
let target: ApiTarget
let authorization: { readonly Authorization: string }
let issued: Issued

beforeAll(async () => {
  own = given === undefined ? await startSandboxProcess() : null
  target = await sandboxTarget(own?.file ?? given ?? "")
  authorization = { Authorization: `Bearer ${await accessToken(target, target)}` }
  const answer = await fetch(`${target.baseUrl}/v1/fiscal-documents`, {
    method: "POST",
    headers: { ...authorization, "Content-Type": "application/json", "Idempotency-Key": randomUUID() },
    body: JSON.stringify({ ...sampleSale(target), commercialFooter: "Хвала 😀" })
  })
  expect(answer.status).toBe(201)
  issued = await answer.json() as Issued
})

afterAll(async () => {
  await own?.stop()
})

const ask = (format: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${target.baseUrl}/v1/fiscal-documents/${issued.id}/representations/${format}`, { headers: { ...authorization, ...headers } })

const bytesOf = async (answer: Response): Promise<Uint8Array> => new Uint8Array(await answer.arrayBuffer())

describe("A receipt of the sandbox in its seven forms", () => {
  it.each(formats)("%s has a strong tag, is answered 304 with it, and is named after its number", async (format) => {
    const answer = await ask(format)
    expect(answer.status).toBe(200)
    const tag = answer.headers.get("ETag") ?? ""
    expect(tag).toMatch(/^"[^"]+"$/)
    expect(answer.headers.get("Content-Disposition")).toContain(issued.pfr.invoiceNumber)
    const lasting = format === "official-text" || format === "qr-svg"
    expect(answer.headers.get("Cache-Control")).toBe(lasting ? "private, max-age=31536000, immutable" : "private, no-cache")
    const again = await ask(format, { "If-None-Match": tag })
    expect([again.status, (await bytesOf(again)).length, again.headers.get("ETag")]).toEqual([304, 0, tag])
    const [first, second] = [await bytesOf(answer), await bytesOf(await ask(format))]
    expect(Buffer.compare(first, second)).toBe(0)
  })

  it("official-text is the journal, byte for byte", async () => {
    expect(Buffer.from(await bytesOf(await ask("official-text"))).toString("utf8")).toBe(issued.pfr.journal)
  })

  it("the V-PFR's journal and link stand on every paper", async () => {
    for (const format of ["pdf-a4", "pdf-80mm", "pdf-58mm"]) {
      const read = await readPdf(await bytesOf(await ask(format)))
      const squeezed = issued.pfr.journal.split("\r\n").map((line) => line.trim().replaceAll(/ +/g, " ")).filter((line) => line !== "")
      expect(pdfLines(read)).toEqual(expect.arrayContaining(squeezed))
      expect(read.links).toEqual([issued.pfr.verificationUrl])
    }
  })

  it("its QR code opens the V-PFR's page of it", async () => {
    expect(decodeQr(greyOfPng(await bytesOf(await ask("preview-png"))))).toBe(issued.pfr.verificationUrl)
  })

  it("canonical-json follows its schema, and its items are a refund's", async () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
    addFormats.default(ajv)
    const text = await (await ask("canonical-json")).text()
    const validate = ajv.compile(JSON.parse(readFileSync(new URL("../../adapters/renderers/src/canonical-json.schema.json", import.meta.url), "utf8")) as object)
    const document = JSON.parse(text) as { readonly items: ReadonlyArray<object> }
    validate(document)
    expect(validate.errors ?? []).toEqual([])
    const refund = { ...sampleSale(target), original: { source: "SVC", fiscalDocumentId: issued.id }, buyer: { id: "20:008765432" }, items: document.items }
    const { invoiceType: _, transactionType: __, ...body } = refund
    expect(Result.isSuccess(decodeRefundRequest(Result.getOrThrow(readBodyTree(JSON.stringify(body))), { environment: "sandbox" }))).toBe(true)
  })

  it("the links of the document lead there", async () => {
    const paths = Object.entries(issued.receipt).filter(([name]) => name.endsWith("Url") && name !== "verificationUrl")
    expect(paths).toHaveLength(7)
    for (const [, path] of paths) {
      const answer = await fetch(new URL(path, target.baseUrl), { headers: authorization })
      expect(answer.status).toBe(200)
      await bytesOf(answer)
    }
  })

  it.each(["pdf-a5", "PDF-A4", "html"])("%s is no representation", async (format) => {
    expect((await ask(format)).status).toBe(404)
  })
})
