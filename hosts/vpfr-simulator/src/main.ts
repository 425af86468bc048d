#!/usr/bin/env node
import process from "node:process"
import { ConfigFault, readConfig, stopsWithParent } from "./Config.ts"
import { complain, outliveReaders, say } from "./report.ts"
import { startSimulator } from "./startSimulator.ts"
import { whenParentDies } from "./whenParentDies.ts"

const explain = (cause: unknown): string => {
  const { code, message, port } = cause as NodeJS.ErrnoException & { readonly port?: number }
  return code === "EADDRINUSE" ? `The port ${port} is taken; choose another one by its OVERA_SIMULATOR_ variable.` : message
}

const run = async (): Promise<void> => {
  outliveReaders()
  const simulator = await startSimulator(readConfig(process.env))
  const stop = (): void => {
    simulator.stop().then(() => process.exit(0), (cause: unknown) => {
      complain("The simulator could not stop:", cause)
      process.exit(1)
    })
  }
  process.once("SIGTERM", stop).once("SIGINT", stop)
  if (stopsWithParent(process.env)) whenParentDies(stop)
  const { controlUrl, production, sandbox } = simulator
  say(JSON.stringify({ ready: true, sandbox, production, controlUrl }))
}

run().catch((cause: unknown) => {
  complain(cause instanceof ConfigFault ? cause.message : explain(cause))
  process.exit(1)
})
