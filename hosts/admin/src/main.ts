import { userInfo } from "node:os"
import { createInterface } from "node:readline/promises"
import { Writable } from "node:stream"
import { runAdmin } from "./runAdmin.ts"
import type { Surroundings } from "./Surroundings.ts"

/** Discards the echo of typed text: a secret is not shown at the terminal. */
const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })

const ask = async (question: string, options?: { readonly hidden: boolean }): Promise<string> => {
  const hidden = options?.hidden === true
  const terminal = createInterface({ input: process.stdin, output: hidden ? nowhere : process.stderr, terminal: hidden })
  if (hidden) process.stderr.write(question)
  try {
    return await terminal.question(hidden ? "" : question)
  } finally {
    terminal.close()
    if (hidden) process.stderr.write("\n")
  }
}

/** The lines of standard input, read as they are asked for. */
const lines = () => {
  let reader: AsyncIterator<string> | undefined
  return async (): Promise<string | null> => {
    reader ??= createInterface({ input: process.stdin })[Symbol.asyncIterator]()
    const next = await reader.next()
    return next.done === true ? null : next.value
  }
}

const surroundings: Surroundings = {
  environment: process.env,
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  nextLine: lines(),
  ask: process.stdin.isTTY === true ? ask : null,
  userName: userInfo().username
}

// `… | head` closes the pipe early; that is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1))
process.exitCode = await runAdmin(process.argv.slice(2), surroundings)
// An unread standard input would keep the process alive.
process.stdin.destroy()
