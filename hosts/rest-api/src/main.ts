import { runHost } from "@overa/host-kit"
import { Effect } from "effect"
import { restApiConfig } from "./Config.ts"
import { gatherLines } from "./gatherLines.ts"
import { startRestApi } from "./startRestApi.ts"

const { flush, write } = gatherLines((text) => {
  process.stdout.write(text)
})
process.once("exit", flush)

runHost("overa-api", async () => {
  const running = await startRestApi(await Effect.runPromise(restApiConfig), write)
  write(JSON.stringify({ time: new Date().toISOString(), level: "info", event: "serving", url: running.url }))
  return running
})
