import {
  type Branding,
  type Receipt,
  ReceiptRenderer,
  RenderingUnavailable,
  type Representation,
  type RepresentationFormat
} from "@overa/domain"
import { Data, Deferred, Effect, Layer } from "effect"
import { fileURLToPath } from "node:url"
import workerpool from "workerpool"
import { ByteBudgetCache } from "./ByteBudgetCache.ts"
import { canonicalJson } from "./canonicalJson.ts"
import { entityTag } from "./entityTag.ts"
import { composeLayout } from "./layout/composeLayout.ts"
import { makePrepareLogo } from "./logo/prepareLogo.ts"
import { qrSvg } from "./qr/qrSvg.ts"
import type { DrawAnswer, Rendered, RenderJob } from "./RenderJob.ts"

/** How much of the machine the renderer may use. */
export interface RendererOptions {
  /** Drawing processes; each costs about 100 MB. */
  readonly processes: number
  /** Drawings that may wait for a process; more are refused, so that a flood of them cannot use up the memory. */
  readonly waiting: number
  /** Drawn representations kept, in bytes. */
  readonly cacheBytes: number
  /** The longest a drawing may take, waiting for its process included. */
  readonly longestMillis: number
}

/** Longer than the second that the pool gives a process to end by itself. */
const terminationMillis = 2_000

const defaults: RendererOptions = { processes: 1, waiting: 256, cacheBytes: 32 * 1024 * 1024, longestMillis: 30_000 }

const mediaTypes: Readonly<Record<RepresentationFormat, string>> = {
  "official-text": "text/plain; charset=utf-8",
  "canonical-json": "application/json",
  "pdf-a4": "application/pdf",
  "pdf-80mm": "application/pdf",
  "pdf-58mm": "application/pdf",
  "preview-png": "image/png",
  "qr-svg": "image/svg+xml"
}

const endings: Readonly<Record<RepresentationFormat, string>> = {
  "official-text": ".txt",
  "canonical-json": ".json",
  "pdf-a4": "-a4.pdf",
  "pdf-80mm": "-80mm.pdf",
  "pdf-58mm": "-58mm.pdf",
  "preview-png": ".png",
  "qr-svg": "-qr.svg"
}

/** The receipt number as a file name; whatever is no letter, digit or dash cannot reach a header. */
const fileName = (receipt: Receipt, format: RepresentationFormat): string =>
  receipt.answer.pfr.invoiceNumber.replace(/[^A-Za-z0-9-]/g, "_") + endings[format]

const drawingOf = (receipt: Receipt, format: RepresentationFormat): Pick<RenderJob, "paper" | "output"> => {
  switch (format) {
    case "pdf-80mm":
      return { paper: "80mm", output: "pdf" }
    case "pdf-58mm":
      return { paper: "58mm", output: "pdf" }
    case "preview-png":
      return { paper: receipt.operation.content.preferredPaperFormat, output: "png" }
    default:
      return { paper: "a4", output: "pdf" }
  }
}

/** Formats that take less than a millisecond are written in this process. */
const written = (receipt: Receipt, format: RepresentationFormat): string | null => {
  switch (format) {
    case "official-text":
      return receipt.answer.pfr.journal
    case "canonical-json":
      return canonicalJson(receipt)
    case "qr-svg":
      return qrSvg(receipt.answer.pfr.verificationUrl)
    default:
      return null
  }
}

// Sources run in the process as they run here, so it needs the private condition too; in a package the program is compiled.
const drawing = import.meta.url.endsWith(".ts")
  ? { program: new URL("./drawProcess.ts", import.meta.url), execArgv: ["--conditions=@overa/source"] }
  : { program: new URL("./drawProcess.js", import.meta.url), execArgv: [] }

// No secret of this process is passed to the pool's processes. The first drawing starts the first of them.
const openPool = (options: RendererOptions) =>
  workerpool.pool(fileURLToPath(drawing.program), {
    workerType: "process",
    forkOpts: { execArgv: drawing.execArgv, env: {}, serialization: "advanced" },
    minWorkers: 0,
    maxWorkers: options.processes
  })

type Pool = ReturnType<typeof openPool>

/** The process ended while it drew, or did not finish its drawing: this says nothing about the receipt. */
class ProcessLost extends Data.TaggedError("ProcessLost")<{ readonly cause: unknown }> {}

/** One drawing on the pool. When it is interrupted, its process is killed: a drawing that never ends would otherwise occupy it for ever. */
const runOnPool = (pool: Pool, job: RenderJob): Effect.Effect<DrawAnswer, ProcessLost> =>
  Effect.callback((resume) => {
    const running = pool.exec("draw", [job]) as Promise<DrawAnswer> & { readonly cancel: () => void }
    running.then((answer) => resume(Effect.succeed(answer)), (cause: unknown) => resume(Effect.fail(new ProcessLost({ cause }))))
    return Effect.sync(() => running.cancel())
  })

const codePointNames = (missing: ReadonlyArray<number>): string =>
  missing.slice(0, 20).map((codePoint) => `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`).join(" ")

const logShortcomings = Effect.fnUntraced(function*(format: RepresentationFormat, { missing }: Rendered) {
  const names = codePointNames(missing)
  if (missing.length > 0) yield* Effect.logWarning(`${format}: characters without a glyph drawn as a substitute: ${names}`)
})

/** Draws on the pool, once for equal requests in flight, and caches the result. */
const makeDrawing = Effect.fnUntraced(function*(options: RendererOptions) {
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => openPool(options)),
    // The pool waits for the end of a process that has already ended: one that was killed while idle. Without this bound the host would never stop,
    // for example where `systemctl stop` signals every process of the unit.
    (opened) => Effect.ignore(Effect.tryPromise(async () => opened.terminate(true, terminationMillis)))
  )
  const scope = yield* Effect.scope
  const cache = new ByteBudgetCache(options.cacheBytes)
  const inFlight = new Map<string, Deferred.Deferred<Uint8Array, RenderingUnavailable>>()

  const onPool = Effect.fnUntraced(function*(tag: string, receipt: Receipt, format: RepresentationFormat, job: RenderJob) {
    const answer = yield* runOnPool(pool, job).pipe(
      // A process lost between two drawings is noticed by the next drawing, which can safely be repeated.
      Effect.retry({ times: 1 }),
      Effect.timeoutOrElse({
        duration: options.longestMillis,
        orElse: () => Effect.fail(new ProcessLost({ cause: new Error("the drawing did not end in time") }))
      }),
      Effect.mapError((cause) => new RenderingUnavailable({ cause }))
    )
    // A receipt that our code cannot draw is a bug and not a lack of capacity.
    if ("bug" in answer) return yield* Effect.die(answer.bug)
    const { rendered } = answer
    cache.set(tag, rendered.bytes)
    yield* logShortcomings(format, rendered).pipe(Effect.annotateLogs({ documentId: receipt.operation.id }))
    return rendered.bytes
  })

  const draw = Effect.fnUntraced(function*(tag: string, receipt: Receipt, format: RepresentationFormat, job: RenderJob) {
    const running = inFlight.get(tag)
    if (running !== undefined) return yield* Deferred.await(running)
    // Counted here: the pool does not count the waiting drawings that can be cancelled.
    if (inFlight.size >= options.processes + options.waiting) {
      return yield* new RenderingUnavailable({ cause: new Error(`${inFlight.size} drawings are in flight`) })
    }
    const drawing = Deferred.makeUnsafe<Uint8Array, RenderingUnavailable>()
    inFlight.set(tag, drawing)
    // Drawn for every caller that waits: when the first one disconnects, the others still get their answer.
    yield* onPool(tag, receipt, format, job).pipe(
      Effect.ensuring(Effect.sync(() => inFlight.delete(tag))),
      Deferred.into(drawing),
      Effect.forkIn(scope)
    )
    return yield* Deferred.await(drawing)
  })

  return { cached: (tag: string) => cache.get(tag), draw }
})

const encoder = new TextEncoder()

/** The rendering adapter: text formats at once, papers and pictures in a small pool of processes. */
export const layer = (options: Partial<RendererOptions> = {}): Layer.Layer<ReceiptRenderer> =>
  Layer.effect(
    ReceiptRenderer,
    Effect.gen(function*() {
      const drawing = yield* makeDrawing({ ...defaults, ...options })
      const prepareLogo = yield* makePrepareLogo

      const withBitmap = Effect.fnUntraced(function*(receipt: Receipt, branding: Branding | null) {
        if (branding === null || branding.logo === null) return branding
        const logo = yield* prepareLogo(branding.logo)
        if (logo === null) {
          yield* Effect.logWarning(`the logo of branding ${receipt.operation.content.brandingId} is broken and was left out`)
        }
        return { ...branding, logo }
      })

      const bytesOf = Effect.fnUntraced(function*<E>(
        receipt: Receipt,
        branding: Effect.Effect<Branding | null, E>,
        format: RepresentationFormat
      ) {
        const text = written(receipt, format)
        if (text !== null) return encoder.encode(text)
        const tag = entityTag(receipt, format)
        const cached = drawing.cached(tag)
        if (cached !== undefined) return cached
        const layout = composeLayout(receipt, yield* withBitmap(receipt, yield* branding))
        return yield* drawing.draw(tag, receipt, format, { layout, ...drawingOf(receipt, format) })
      })

      return ReceiptRenderer.of({
        entityTag,
        render: <E>(receipt: Receipt, branding: Effect.Effect<Branding | null, E>, format: RepresentationFormat) =>
          bytesOf(receipt, branding, format).pipe(
            Effect.map((bytes): Representation => ({
              bytes,
              mediaType: mediaTypes[format],
              fileName: fileName(receipt, format)
            })),
            Effect.withSpan("ReceiptRenderer.render", { attributes: { format, documentId: receipt.operation.id } })
          )
      })
    })
  )
