import { startFailure } from "./startFailure.ts"

/** A running host. `stop` first waits for requests in flight. */
export interface RunningHost {
  readonly stop: () => Promise<void>
}

/** Starts a host and stops it once, gracefully, on SIGINT or SIGTERM. A start or a stop that fails prints the reason in one line and exits with 1. */
export const runHost = (name: string, start: () => Promise<RunningHost>): void => {
  const fail = (error: unknown): void => {
    process.stderr.write(`${name}: ${startFailure(error)}\n`)
    process.exitCode = 1
  }
  const main = async (): Promise<void> => {
    const running = await start()
    let stopping = false
    const stop = (): void => {
      if (stopping) return
      stopping = true
      running.stop().catch(fail)
    }
    process.once("SIGINT", stop)
    process.once("SIGTERM", stop)
  }
  main().catch(fail)
}
