import { logLine, runHost } from "@overa/host-kit"
import { Effect } from "effect"
import { restApiConfig } from "./Config.ts"
import { gatherLines } from "./gatherLines.ts"
import { startRestApi } from "./startRestApi.ts"

const { flush, write } = gatherLines((text) => {
  process.stdout.write(text)
})
process.once("exit", flush)

runHost("overa-api", write, async () => {
  const running = await startRestApi(await Effect.runPromise(restApiConfig), write)
  write(logLine("info", "serving", { url: running.url }))
  return running
})
