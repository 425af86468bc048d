import { Effect } from "effect"
import { restApiConfig } from "./Config.ts"
import { gatherLines } from "./gatherLines.ts"
import { startFailure } from "./startFailure.ts"
import { startRestApi } from "./startRestApi.ts"

const { flush, write } = gatherLines((text) => {
  process.stdout.write(text)
})
process.once("exit", flush)

const fail = (error: unknown): void => {
  process.stderr.write(`overa-api: ${startFailure(error)}\n`)
  process.exitCode = 1
}

const main = async (): Promise<void> => {
  const config = await Effect.runPromise(restApiConfig)
  const running = await startRestApi(config, write)
  write(JSON.stringify({ time: new Date().toISOString(), level: "info", event: "serving", url: running.url }))
  const stop = (): void => {
    running.stop().catch(fail)
  }
  process.once("SIGINT", stop)
  process.once("SIGTERM", stop)
}

main().catch(fail)
