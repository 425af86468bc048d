#!/usr/bin/env node
import { runWitness } from "./runWitness.ts"

const running = await runWitness(process.argv.slice(2), {
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text)
})
if (typeof running === "number") process.exitCode = running
else for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void running.stop())
