import { createWriteStream, type WriteStream } from "node:fs"
import { hostLog } from "@overa/host-kit"
import { Effect, type Layer } from "effect"

/** One JSON line per event in a file, so that the terminal shows only what the person needs. */
export interface LogFile {
  readonly path: string
  readonly write: (line: string) => void
  /** Sends what the hosts log to the file. */
  readonly layer: Layer.Layer<never>
}

const close = (stream: WriteStream) => Effect.callback<void>((resume) => {
  stream.end(() => resume(Effect.void))
})

/** Appends to the file until the scope closes. */
export const logFile = Effect.fnUntraced(function*(path: string) {
  const stream = yield* Effect.acquireRelease(Effect.sync(() => createWriteStream(path, { flags: "a", mode: 0o600 })), close)
  const write = (line: string): void => {
    stream.write(`${line}\n`)
  }
  const file: LogFile = { path, write, layer: hostLog(write) }
  return file
})
