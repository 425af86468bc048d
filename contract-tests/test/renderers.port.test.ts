import { composeLayout, draw, PooledReceiptRenderer } from "@overa/adapter-renderers"
import {
  BrandingStore,
  type DocumentStatus,
  FiscalDocumentNotFound,
  OperationStore,
  type Receipt,
  ReceiptRenderer,
  renderDocument,
  RepresentationFormat,
  RepresentationNotAvailable
} from "@overa/domain"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Logger, Option } from "effect"
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { sampleBranding, sampleItem, sampleReceipt } from "../src/support/sampleReceipts.ts"

const formats = RepresentationFormat.literals
const branding = Effect.sync(sampleBranding)
const live = { excludeTestServices: true }

const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

const quiet = Logger.layer([])

layer(PooledReceiptRenderer.layer({ processes: 2 }).pipe(Layer.provideMerge(quiet)), live)("The renderer", (it) => {
  it.effect.each(formats)("answers %s with media type, file name and strong tag", (format) =>
    Effect.gen(function*() {
      const renderer = yield* ReceiptRenderer
      const receipt = sampleReceipt("NORMAL", "SALE")
      const { bytes, fileName, mediaType } = yield* renderer.render(receipt, branding, format)
      assert.isAbove(bytes.length, 100)
      assert.match(mediaType, /^(text\/plain; charset=utf-8|application\/(json|pdf)|image\/(png|svg\+xml))$/)
      assert.match(fileName, /^ZRA8K2QW-ZRA8K2QW-1042[-a-z0-9]*\.(txt|json|pdf|png|svg)$/)
      assert.match(renderer.entityTag(receipt, format), /^[A-Za-z0-9_-]{32}$/)
    }))

  it.effect("gives official-text byte for byte", () =>
    Effect.gen(function*() {
      const receipt = sampleReceipt("NORMAL", "SALE")
      const { bytes } = yield* (yield* ReceiptRenderer).render(receipt, branding, "official-text")
      assert.strictEqual(Buffer.from(bytes).compare(Buffer.from(receipt.answer.pfr.journal)), 0)
    }))

  // Papers drawn before in the same process share its fonts and must not influence the result.
  it.effect.each(["pdf-a4", "pdf-80mm", "pdf-58mm", "preview-png"] as const)(
    "gives the same %s in every process, whatever was drawn there before",
    (format) =>
      Effect.gen(function*() {
        const receipt = sampleReceipt("PROFORMA", "REFUND", { preferredPaperFormat: "80mm" })
        const other = sampleReceipt("TRAINING", "SALE", { link: "https://example.org/v/?vl=other" })
        yield* Effect.promise(() => draw({ layout: composeLayout(other, null), paper: "a4", output: "pdf" }))
        const { bytes } = yield* (yield* ReceiptRenderer).render(receipt, branding, format)
        const paper = format === "pdf-a4" ? "a4" : format === "pdf-58mm" ? "58mm" : "80mm"
        const here = yield* Effect.promise(() =>
          draw({ layout: composeLayout(receipt, sampleBranding()), paper, output: format === "preview-png" ? "png" : "pdf" })
        )
        assert.strictEqual(digest(bytes), digest(here.bytes))
      })
  )

  it.effect("asks for the branding only when it draws", () =>
    Effect.gen(function*() {
      const renderer = yield* ReceiptRenderer
      const receipt = sampleReceipt("ADVANCE", "SALE")
      let asked = 0
      const counted = Effect.sync(() => {
        asked++
        return sampleBranding()
      })
      yield* renderer.render(receipt, counted, "pdf-58mm")
      yield* renderer.render(receipt, counted, "pdf-58mm")
      yield* renderer.render(receipt, counted, "qr-svg")
      assert.strictEqual(asked, 1)
    }))

  it.effect("draws once for equal requests at the same time, also when the first to ask goes away", () =>
    Effect.gen(function*() {
      const renderer = yield* ReceiptRenderer
      const receipt = sampleReceipt("COPY", "SALE")
      const first = yield* Effect.forkChild(renderer.render(receipt, branding, "pdf-a4"))
      yield* Effect.yieldNow
      const rest = Array.from({ length: 8 }, () => renderer.render(receipt, branding, "pdf-a4"))
      const others = yield* Effect.forkChild(Effect.all(rest, { concurrency: "unbounded" }))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(first)
      const drawn = yield* Fiber.join(others)
      assert.strictEqual(new Set(drawn.map(({ bytes }) => digest(bytes))).size, 1)
    }))

  it.effect("logs which characters were drawn as a substitute", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const logger = Logger.make(({ message }) => lines.push(String(message)))
      const receipt = sampleReceipt("NORMAL", "SALE", { items: [sampleItem("Чај 漢", "ком", "1", "100.00", "Ђ")] })
      yield* (yield* ReceiptRenderer).render(receipt, branding, "pdf-80mm").pipe(Effect.provide(Logger.layer([logger])))
      assert.isTrue(lines.some((line) => line.includes("U+6F22")), lines.join("\n"))
    }))

  it.effect("changes its tag with everything that decides the bytes", () =>
    Effect.gen(function*() {
      const { entityTag } = yield* ReceiptRenderer
      const receipts: ReadonlyArray<Receipt> = [
        sampleReceipt("NORMAL", "SALE"),
        sampleReceipt("NORMAL", "SALE", { brandingId: "branding-2" }),
        sampleReceipt("NORMAL", "SALE", { preferredPaperFormat: "58mm" }),
        sampleReceipt("NORMAL", "REFUND")
      ]
      const tags = receipts.flatMap((receipt) => formats.map((format) => entityTag(receipt, format)))
      assert.strictEqual(new Set(tags).size, tags.length)
      assert.strictEqual(entityTag(sampleReceipt("NORMAL", "SALE"), "pdf-a4"), tags[formats.indexOf("pdf-a4")])
    }))
})

const small = PooledReceiptRenderer.layer({ processes: 1, waiting: 1, cacheBytes: 0 }).pipe(Layer.provideMerge(quiet))

layer(small, live)("A renderer with more to draw than it may keep waiting", (it) => {
  it.effect("refuses, and is as good as before afterwards", () =>
    Effect.gen(function*() {
      const renderer = yield* ReceiptRenderer
      const many = Array.from({ length: 12 }, (_, index) =>
        renderer.render(sampleReceipt("NORMAL", "SALE", { link: `https://example.org/${index}` }), branding, "pdf-80mm")
      )
      const exits = yield* Effect.all(many.map(Effect.exit), { concurrency: "unbounded" })
      assert.isTrue(exits.some(Exit.isSuccess) && exits.some(Exit.isFailure))
      const { bytes } = yield* renderer.render(sampleReceipt("NORMAL", "SALE"), branding, "pdf-80mm")
      assert.isAbove(bytes.length, 1_000)
    }))
})

/** This process's drawing processes. */
const drawingProcesses = (): ReadonlyArray<number> =>
  execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n").flatMap((line) => {
    const [pid, parent, ...command] = line.trim().split(/ +/)
    return Number(parent) === process.pid && command.some((word) => word.endsWith("drawProcess.ts")) ? [Number(pid)] : []
  })

const alone = PooledReceiptRenderer.layer({ cacheBytes: 0 }).pipe(Layer.provideMerge(quiet))

layer(alone, live)("A drawing process that is killed", (it) => {
  it.effect("while idle or while drawing takes nothing along", () =>
    Effect.gen(function*() {
      const renderer = yield* ReceiptRenderer
      const receipt = sampleReceipt("NORMAL", "SALE")
      const { bytes: before } = yield* renderer.render(receipt, branding, "preview-png")
      const kill = Effect.sync(() => {
        const running = drawingProcesses()
        for (const pid of running) process.kill(pid, "SIGKILL")
        return running.length
      })
      assert.strictEqual(yield* kill, 1)
      const { bytes: afterIdle } = yield* renderer.render(receipt, branding, "preview-png")
      const drawing = yield* Effect.forkChild(renderer.render(receipt, branding, "preview-png"))
      yield* Effect.sleep("20 millis")
      assert.strictEqual(yield* kill, 1)
      const { bytes: afterDrawing } = yield* Fiber.join(drawing)
      assert.deepStrictEqual([digest(afterIdle), digest(afterDrawing)], [digest(before), digest(before)])
    }))
})

const impatient = PooledReceiptRenderer.layer({ longestMillis: 1 }).pipe(Layer.provideMerge(quiet))

layer(impatient, live)("A drawing that does not end in time", (it) => {
  it.effect("is given up, and the next one has a process again", () =>
    Effect.gen(function*() {
      const renderer = yield* ReceiptRenderer
      for (const paper of ["pdf-a4", "pdf-80mm"] as const) {
        const refusal = yield* Effect.flip(renderer.render(sampleReceipt("NORMAL", "SALE"), branding, paper))
        assert.strictEqual(refusal._tag, "RenderingUnavailable")
      }
    }))
})

describe("A document's representations are asked for by its tenant (Decisions §6, §7)", () => {
  const tenant = { organizationId: sampleReceipt("NORMAL", "SALE").operation.organizationId, environment: "sandbox" } as const
  const { operation } = sampleReceipt("NORMAL", "SALE")

  const stores = (status: DocumentStatus | null) =>
    Layer.mergeAll(
      Layer.mock(OperationStore, {
        get: () => Effect.succeed(status === null ? Option.none() : Option.some({ ...operation, status }))
      }),
      Layer.mock(BrandingStore, { find: () => Effect.succeed(Option.some(sampleBranding())) }),
      Layer.mock(ReceiptRenderer, {
        entityTag: (_receipt, format) => `tag-of-${format}`,
        render: (_receipt, _branding, format) =>
          Effect.succeed({ bytes: new TextEncoder().encode(format), mediaType: "text/plain", fileName: "receipt" })
      })
    )

  const ask = (knownEntityTags: ReadonlyArray<string>, format: RepresentationFormat = "pdf-a4") =>
    renderDocument({ tenant, id: operation.id, format, knownEntityTags })

  it.effect("drawn when the caller has no tag of it", () =>
    Effect.gen(function*() {
      const rendered = yield* ask(["other"])
      assert.strictEqual(rendered._tag, "Drawn")
      assert.strictEqual(rendered.entityTag, "tag-of-pdf-a4")
      assert.isFalse(rendered.immutable)
    }).pipe(Effect.provide(stores("FISCALIZED"))))

  it.effect("unchanged when the caller has its tag, or any", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* ask(["other", "tag-of-pdf-a4"]))._tag, "Unchanged")
      assert.strictEqual((yield* ask(["*"]))._tag, "Unchanged")
    }).pipe(Effect.provide(stores("FISCALIZED"))))

  it.effect("the V-PFR's own text and link never change", () =>
    Effect.gen(function*() {
      assert.isTrue((yield* ask([], "official-text")).immutable)
      assert.isTrue((yield* ask([], "qr-svg")).immutable)
      assert.isFalse((yield* ask([], "canonical-json")).immutable)
    }).pipe(Effect.provide(stores("FISCALIZED"))))

  const unfinished = ["SUBMITTING", "REJECTED", "NOT_FISCALIZED", "OUTCOME_UNKNOWN", "RECONCILING"] as const
  it.effect.each(unfinished)("there is none of a document that is %s", (status) =>
    Effect.gen(function*() {
      const refusal = yield* Effect.flip(ask([]))
      assert.instanceOf(refusal, RepresentationNotAvailable)
    }).pipe(Effect.provide(stores(status))))

  it.effect("another tenant's document is not found", () =>
    Effect.gen(function*() {
      const refusal = yield* Effect.flip(ask([]))
      assert.instanceOf(refusal, FiscalDocumentNotFound)
    }).pipe(Effect.provide(stores(null))))
})
