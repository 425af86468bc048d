import { randomUUID } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { ApiClient } from "../support/ApiClient.ts"
import type { ApiTarget } from "./ApiTarget.ts"
import { sampleSale } from "./sampleSale.ts"

const path = "/v1/fiscal-documents"
const immutable = "private, max-age=31536000, immutable"
const revalidated = "private, no-cache"

/** Format, the member of `receipt` with its address, media type, how long it may be cached (Decisions §6). */
const formats = [
  ["official-text", "textUrl", "text/plain; charset=utf-8", immutable],
  ["canonical-json", "jsonUrl", "application/json", revalidated],
  ["pdf-a4", "pdfA4Url", "application/pdf", revalidated],
  ["pdf-80mm", "pdf80mmUrl", "application/pdf", revalidated],
  ["pdf-58mm", "pdf58mmUrl", "application/pdf", revalidated],
  ["preview-png", "previewImageUrl", "image/png", revalidated],
  ["qr-svg", "qrImageUrl", "image/svg+xml", immutable]
] as const

/** The seven representations over HTTP, and copies. Source: Spec, representations and copies; Decisions §§5, 6. */
export const representationsContract = (name: string, start: () => Promise<ApiTarget>) =>
  describe(`${name}: representations and copies`, () => {
    let api: ApiClient
    // oxlint-disable-next-line typescript/no-explicit-any
    let sold: any
    beforeAll(async () => {
      api = await ApiClient.of(await start())
      sold = (await api.post(path, sampleSale(api.target))).json
    })

    it.each(formats)("serves %s where the receipt says, and 304 to who has it", async (_format, member, mediaType, kept) => {
      const first = await api.get(sold.receipt[member])
      expect(first.status).toBe(200)
      expect(first.headers.get("content-type")).toBe(mediaType)
      expect(first.headers.get("cache-control")).toBe(kept)
      const etag = first.headers.get("etag") ?? ""
      expect(etag).toMatch(/^"[^"]+"$/)
      const again = await api.send({
        method: "GET",
        path: sold.receipt[member],
        token: await api.token(),
        headers: { "If-None-Match": `"other", ${etag}` }
      })
      expect([again.status, again.text]).toEqual([304, ""])
    })

    it("serves the journal byte for byte", async () => {
      expect((await api.get(sold.receipt.textUrl)).text).toBe(sold.pfr.journal)
    })

    it("answers 404 to an unknown format and to a document that is not there", async () => {
      expect((await api.get(`${path}/${sold.id}/representations/docx`)).status).toBe(404)
      const absent = await api.get(`${path}/${randomUUID()}/representations/pdf-a4`)
      expect([absent.status, absent.json.code]).toEqual([404, "FISCAL_DOCUMENT_NOT_FOUND"])
    })

    it("issues a copy that refers to its source, and replays it", async () => {
      const key = `copy-${randomUUID()}`
      const copy = await api.post(`${path}/${sold.id}/copies`, { cashier: { id: "web" } }, { key })
      expect(copy.status).toBe(201)
      expect(copy.json).toMatchObject({
        invoiceType: "COPY",
        transactionType: "SALE",
        reference: { fiscalDocumentId: sold.id, pfrNumber: sold.pfr.invoiceNumber, pfrTime: sold.pfr.sdcTime }
      })
      const again = await api.post(`${path}/${sold.id.toUpperCase()}/copies`, { cashier: { id: "web" } }, { key })
      expect([again.status, again.json.id]).toEqual([200, copy.json.id])
    })

    it("[proves:COPY_SOURCE_NOT_COPYABLE] refuses a copy of a copy", async () => {
      const copy = await api.post(`${path}/${sold.id}/copies`, { cashier: { id: "web" } })
      const answer = await api.post(`${path}/${copy.json.id}/copies`, { cashier: { id: "web" } })
      expect([answer.status, answer.json.code]).toEqual([422, "COPY_SOURCE_NOT_COPYABLE"])
    })
  })
