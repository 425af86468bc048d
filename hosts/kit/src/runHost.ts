import { logLine, type WriteLine } from "./logs.ts"
import { startFailure } from "./startFailure.ts"

/** A running host. `stop` first waits for requests in flight. */
export interface RunningHost {
  readonly stop: () => Promise<void>
}

/**
 * A log whose reader has gone (EPIPE) ends no host: what is written to it is lost, receipts are not. Node ends a process at the first error of a stream that
 * nobody listens to.
 */
export const outliveLogReaders = (): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined)
}

/** Starts a host and stops it once, gracefully, on SIGINT or SIGTERM. A start or a stop that fails prints the reason in one line and exits with 1. */
export const runHost = (name: string, write: WriteLine, start: () => Promise<RunningHost>): void => {
  const fail = (error: unknown): void => {
    process.stderr.write(`${name}: ${startFailure(error)}\n`)
    process.exitCode = 1
  }
  const main = async (): Promise<void> => {
    const running = await start()
    let stopping = false
    const stop = (signal: NodeJS.Signals): void => {
      if (stopping) return
      stopping = true
      write(logLine("info", "stopping", { host: name, signal }))
      running.stop().then(() => write(logLine("info", "stopped", { host: name })), fail)
    }
    process.once("SIGINT", stop)
    process.once("SIGTERM", stop)
  }
  outliveLogReaders()
  main().catch(fail)
}
