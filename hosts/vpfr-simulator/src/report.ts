import process from "node:process"
import { inspect } from "node:util"

/** A reader of the log that goes away (EPIPE) does not end the simulator: Node ends a process at the first error of a stream that nobody listens to. */
export const outliveReaders = (): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined)
}

/** A line for the person who started the process. */
export const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** A fault of the simulator itself, with its cause where there is one. */
export const complain = (line: string, cause?: unknown): void => {
  process.stderr.write(cause === undefined ? `${line}\n` : `${line} ${inspect(cause)}\n`)
}
