#!/usr/bin/env node
import { runVerify } from "./runVerify.ts"

process.exitCode = await runVerify(process.argv.slice(2), {
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text)
})
