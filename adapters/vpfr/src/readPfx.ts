import { Worker } from "node:worker_threads"
import { Effect, Redacted, Schema } from "effect"
import type { ElementFile, PfxFault } from "./ElementFile.ts"

/** An uploaded file that cannot be a security element, with the reason in words for the person who uploaded it. */
export class PfxUnreadable extends Schema.TaggedError<PfxUnreadable>()("PfxUnreadable", {
  fault: Schema.Literals(
    ["NOT_A_PFX", "WRONG_PASSWORD", "NO_KEY", "NO_MATCHING_CERTIFICATE", "NO_JID", "UNSUPPORTED"] satisfies ReadonlyArray<PfxFault>
  ),
  detail: Schema.String
}) {}

type FromWorker = { readonly file: ElementFile } | { readonly fault: PfxFault; readonly detail: string }

/** A file that keeps a thread busy for this long was made to. */
const longestParse = "20 seconds"
const largestFile = 256 * 1024

/**
 * Reads an element's PFX file in a thread of its own, because the legacy formats take tens of milliseconds that would stop every
 * other request (V-PFR §1.5, §9). Says nothing about whom the certificate comes from: see `chainsToRoot`.
 */
export const readPfx = Effect.fn("readPfx")(function*(
  bytes: Uint8Array,
  password: Redacted.Redacted<string>
): Effect.fn.Return<ElementFile, PfxUnreadable> {
  if (bytes.length > largestFile) {
    return yield* new PfxUnreadable({ fault: "NOT_A_PFX", detail: "the file is too large for a PFX of one element" })
  }
  const answer = yield* Effect.callback<FromWorker>((resume) => {
    const worker = new Worker(new URL("./readPfxWorker.ts", import.meta.url), {
      workerData: { bytes, password: Redacted.value(password) },
      env: {}
    })
    worker.once("message", (message: FromWorker) => resume(Effect.succeed(message)))
    worker.once("error", (error) => resume(Effect.die(error)))
    return Effect.promise(() => worker.terminate())
  }).pipe(
    Effect.timeoutOrElse({
      duration: longestParse,
      orElse: () => Effect.succeed<FromWorker>({ fault: "UNSUPPORTED", detail: "the PFX file took too long to open" })
    })
  )
  return "file" in answer ? answer.file : yield* new PfxUnreadable(answer)
})
