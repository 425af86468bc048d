/**
 * How fast receipts are drawn, as ratios on this machine: `node --conditions=@overa/source bench/renderers.ts`. With `--memory`, 10 000 renderings
 * and the memory they keep; with `--beside`, how 20 drawings a second delay the event loop that issues receipts.
 */
import { composeLayout, draw, PooledReceiptRenderer, qrSvg } from "@overa/adapter-renderers"
import { ReceiptRenderer } from "@overa/domain"
import { Effect, Logger } from "effect"
import { createRequire } from "node:module"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setTimeout } from "node:timers/promises"
import Pdf from "pdfkit"
import { internalsOf, type ParsedFont } from "../adapters/renderers/src/pdf/pdfkitInternals.ts"
import { sampleItem, sampleReceipt } from "../contract-tests/src/support/sampleReceipts.ts"
import { median } from "./support/load.ts"

type Work = () => Promise<unknown> | unknown

/** Median milliseconds of each work, measured alternately so that a busy moment of the machine affects all of them. */
const timed = async (runs: number, works: ReadonlyArray<Work>): Promise<ReadonlyArray<number>> => {
  const times: ReadonlyArray<Array<number>> = works.map(() => [])
  for (let run = -runs / 4; run < runs; run++) {
    for (const [index, work] of works.entries()) {
      const start = performance.now()
      await work()
      if (run >= 0) times[index]?.push(performance.now() - start)
    }
  }
  return times.map(median)
}

const sharedFont = (): ParsedFont => {
  const document = new Pdf({ font: "", autoFirstPage: false })
  document.font(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf"))
  return internalsOf(document)._font.font
}

/** The time of pdfkit alone for the same lines on a page with a font already parsed: no QR code, no tags, no second face. */
const bare = (font: ParsedFont, lines: ReadonlyArray<string>): Promise<unknown> => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const document = new Pdf({ font: "", size: [204.3, lines.length * 10 + 20], margin: 0 })
  document.registerFont("mono", font as unknown as string)
  document.font("mono").fontSize(8.25)
  for (const [index, line] of lines.entries()) document.text(line, 3, 10 + index * 10, { lineBreak: false })
  document.on("data", () => {})
  document.on("end", () => resolve(undefined))
  document.end()
  return promise
}

const receipt = sampleReceipt("NORMAL", "SALE", {
  items: Array.from({ length: 18 }, (_, index) => sampleItem(`Књига број ${index}`, "ком", "1", `${100 + index}.90`, "Ђ")),
  commercialFooter: null,
  brandingId: null
})
const layout = composeLayout(receipt, null)
const lines = receipt.answer.pfr.journal.split("\r\n").slice(0, 60)
const print = (text: string) => process.stdout.write(`${text}\n`)

const speed = async (): Promise<void> => {
  const font = sharedFont()
  const [bareTime = 0, pdf = 0, a4 = 0, png = 0, svg = 0] = await timed(100, [
    () => bare(font, lines),
    () => draw({ layout, paper: "80mm", output: "pdf" }),
    () => draw({ layout, paper: "a4", output: "pdf" }),
    () => draw({ layout, paper: "80mm", output: "png" }),
    () => qrSvg(receipt.answer.pfr.verificationUrl)
  ])
  print(`lines on the receipt        ${lines.length}`)
  print(`bare pdfkit, shared font    ${bareTime.toFixed(2)} ms`)
  print(`pdf-80mm                    ${pdf.toFixed(2)} ms   ${(pdf / bareTime).toFixed(2)} of bare (at most 1.5)`)
  print(`pdf-a4                      ${a4.toFixed(2)} ms   ${(a4 / bareTime).toFixed(2)} of bare`)
  print(`preview-png                 ${png.toFixed(2)} ms   ${(png / pdf).toFixed(2)} of its PDF (at most 4)`)
  print(`qr-svg                      ${svg.toFixed(2)} ms   (at most 1)`)
}

const memory = async (): Promise<void> => {
  const renderings = 10_000
  for (let done = 0; done <= renderings; done++) {
    await draw({ layout, paper: "80mm", output: done % 10 === 0 ? "png" : "pdf" })
    if (done % 1_000 === 0) {
      const { arrayBuffers, heapUsed, rss } = process.memoryUsage()
      const megabytes = [rss, heapUsed, arrayBuffers].map((bytes) => (bytes / 1_048_576).toFixed(0).padStart(5))
      print(`${String(done).padStart(6)} renderings   rss ${megabytes[0]} MB   heap ${megabytes[1]} MB   buffers ${megabytes[2]} MB`)
    }
  }
}

/** The longest delays of an event loop with a short task every millisecond, which is the load of issuing receipts. */
const loopDelay = async (seconds: number): Promise<string> => {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await setTimeout(seconds * 1_000)
  delay.disable()
  return `p50 ${(delay.percentile(50) / 1e6).toFixed(1)} ms   p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms   max ${(delay.max / 1e6).toFixed(1)} ms`
}

/** Twenty different receipts a second through the pool, and for comparison on the event loop itself. */
const beside = Effect.gen(function*() {
  const renderer = yield* ReceiptRenderer
  const other = (index: number) => sampleReceipt("NORMAL", "SALE", { link: `https://example.org/v/?vl=${index}`, commercialFooter: null, brandingId: null })
  const every50 = <A>(work: (index: number) => Effect.Effect<A, unknown>) =>
    Effect.forEach(Array.from({ length: 100 }, (_, index) => index), (index) =>
      Effect.sleep(50 * index).pipe(Effect.andThen(work(index))), { concurrency: "unbounded", discard: true })
  const measured = Effect.promise(() => loopDelay(5))
  yield* renderer.render(other(-1), Effect.succeed(null), "pdf-80mm")
  print(`event loop alone            ${yield* measured}`)
  const [pooled] = yield* Effect.all([measured, every50((index) => renderer.render(other(index), Effect.succeed(null), "pdf-80mm"))], { concurrency: 2 })
  print(`beside 20 PDFs a second     ${pooled}`)
  const onLoop = every50((index) => Effect.promise(() => draw({ layout: composeLayout(other(index), null), paper: "80mm", output: "pdf" })))
  const [blocked] = yield* Effect.all([measured, onLoop], { concurrency: 2 })
  print(`drawn on the loop itself    ${blocked}`)
}).pipe(Effect.provide(PooledReceiptRenderer.layer()), Effect.provide(Logger.layer([])))

if (process.argv.includes("--memory")) await memory()
else if (process.argv.includes("--beside")) await Effect.runPromise(beside)
else await speed()
