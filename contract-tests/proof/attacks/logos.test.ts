/** Logos that would occupy a drawing process for ever, or fill its memory: no other receipt waits for them. */
import { logoInProcess, PooledReceiptRenderer } from "@overa/adapter-renderers"
import { type Branding, FiscalDocumentId, logoFault, ReceiptRenderer } from "@overa/domain"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { deflateSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { sampleReceipt } from "../../src/support/sampleReceipts.ts"

const svg = (text: string) => ({ mediaType: "image/svg+xml" as const, bytes: new TextEncoder().encode(text) })

/** A gradient that repeats itself a hundred million times over one line. */
const endless = svg(`<svg viewBox="0 0 10 10"><linearGradient id="g" spreadMethod="repeat" x1="0" x2="1e-7"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient><path fill="url(#g)" d="M0 0h9v9z"/></svg>`)

const chunk = (type: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(type, "latin1"), data, Buffer.alloc(4)])
}

/** The largest picture the bounds allow, sixteen bits a sample with transparency: 32 MB of samples in some kilobytes. */
const swelling = () => {
  const [width, height] = [2_000, 2_000]
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([16, 6, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc((width * 8 + 1) * height), { level: 9 })
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return { mediaType: "image/png" as const, bytes: new Uint8Array(Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))])) }
}

describe("A hostile logo", () => {
  it("that never ends is ended, and is no logo", async () => {
    expect(logoFault(endless)).toBeNull()
    const from = performance.now()
    expect(await Effect.runPromise(logoInProcess(endless))).toBeNull()
    expect(performance.now() - from).toBeLessThan(12_000)
  }, 30_000)

  it("that swells becomes a bitmap of bounded size, or none", async () => {
    const bitmap = await Effect.runPromise(logoInProcess(swelling()))
    expect(bitmap === null || bitmap.bytes.length < 400_000).toBe(true)
  }, 30_000)

  it("holds up its own shop once and nobody else", async () => {
    const drawn = (name: string, branding: Branding | null) =>
      Effect.gen(function*() {
        const renderer = yield* ReceiptRenderer
        const sample = sampleReceipt("NORMAL", "SALE", { commercialFooter: name })
        const receipt = { ...sample, operation: { ...sample.operation, id: FiscalDocumentId.make(randomUUID()) } }
        const from = performance.now()
        const { bytes } = yield* renderer.render(receipt, Effect.succeed(branding), "pdf-80mm")
        return { length: bytes.length, millis: performance.now() - from }
      })
    const broken = { logo: endless, contactLines: ["Зора"], thankYouNote: null }
    await Effect.runPromise(
      Effect.gen(function*() {
        yield* drawn("warm", null)
        const [first, other] = yield* Effect.all([drawn("first", broken), Effect.andThen(Effect.sleep("200 millis"), drawn("other", null))], { concurrency: 2 })
        expect(first.length).toBeGreaterThan(1_000)
        expect(other.millis).toBeLessThan(first.millis / 2)
        expect((yield* drawn("again", broken)).millis).toBeLessThan(first.millis / 2)
      }).pipe(Effect.provide(PooledReceiptRenderer.layer()))
    )
  }, 60_000)
})
