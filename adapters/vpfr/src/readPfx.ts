import { isJid } from "@overa/domain"
import { Clock, Effect, PartitionedSemaphore, Redacted, Schema } from "effect"
import { fork } from "node:child_process"
import type { ElementFile, PfxFault } from "./ElementFile.ts"

/** An uploaded file that cannot be a security element, with the reason in words for the person who uploaded it. */
export class PfxUnreadable extends Schema.TaggedError<PfxUnreadable>()("PfxUnreadable", {
  fault: Schema.Literals(
    ["NOT_A_PFX", "WRONG_PASSWORD", "NO_KEY", "NO_MATCHING_CERTIFICATE", "NO_JID", "UNSUPPORTED"] satisfies ReadonlyArray<PfxFault>
  ),
  detail: Schema.String
}) {}

/** The request to the reading process; one for each process. */
export interface PfxQuestion {
  readonly bytes: Uint8Array
  readonly password: string
  readonly atMillis: number
}

export type PfxAnswer = { readonly file: ElementFile } | { readonly fault: PfxFault; readonly detail: string }

/** A file that takes longer than this was made to do so. */
const longestParse = "20 seconds"
const largestFile = 256 * 1024
const heapMegabytes = 128
/** Two files are read at a time; if more wait, they run in round robin over holders. Each process uses a core and up to 200 MB. */
const turns = PartitionedSemaphore.makeUnsafe<string>({ permits: 2 })

// A source file starts a source file; in a package both are compiled.
const readerProgram = import.meta.url.endsWith(".ts")
  ? new URL("./readPfxProcess.ts", import.meta.url)
  : new URL("./readPfxProcess.js", import.meta.url)

/**
 * Reads an element's PFX file in a separate process, because the legacy formats take tens of milliseconds, which would block every other request
 * (V-PFR §1.5, §9). Does not check who issued the certificate: see `chainsToRoot`.
 *
 * @param holder The owner of the file, for the round robin.
 */
export const readPfx = Effect.fn("readPfx")(function*(
  bytes: Uint8Array,
  password: Redacted.Redacted<string>,
  holder = ""
): Effect.fn.Return<ElementFile, PfxUnreadable> {
  if (bytes.length > largestFile) {
    return yield* new PfxUnreadable({ fault: "NOT_A_PFX", detail: "the file is too large for a PFX of one element" })
  }
  const atMillis = yield* Clock.currentTimeMillis
  const answer = yield* Effect.callback<PfxAnswer>((resume) => {
    const reader = fork(readerProgram, { execArgv: [`--max-old-space-size=${heapMegabytes}`], env: {}, serialization: "advanced" })
    reader.once("message", (message) => resume(Effect.succeed(message as PfxAnswer)))
    reader.once("error", (error) => resume(Effect.die(error)))
    // The usual cause of an end before the answer is the memory bound.
    reader.once("exit", () => resume(Effect.succeed<PfxAnswer>({ fault: "UNSUPPORTED", detail: "reading the PFX file took more than a file of one element may take" })))
    const question: PfxQuestion = { bytes, password: Redacted.value(password), atMillis }
    reader.send(question)
    return Effect.sync(() => reader.kill("SIGKILL"))
  }).pipe(
    Effect.timeoutOrElse({
      duration: longestParse,
      orElse: () => Effect.succeed<PfxAnswer>({ fault: "UNSUPPORTED", detail: "the PFX file took too long to open" })
    }),
    turns.withPermit(holder)
  )
  if ("fault" in answer) return yield* new PfxUnreadable(answer)
  // Checked here: the reading process has no room for the domain.
  return isJid(answer.file.facts.jid)
    ? answer.file
    : yield* new PfxUnreadable({ fault: "NO_JID", detail: "the certificate's subject names no JID (eight letters and digits)" })
})
