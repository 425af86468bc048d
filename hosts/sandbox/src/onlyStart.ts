import { createHash } from "node:crypto"
import { realpathSync, rmSync } from "node:fs"
import { connect, createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { SandboxProblem } from "./SandboxProblem.ts"

/**
 * One start per home, locked by a socket that the system closes when the process ends, however it ends: a file with a process id would remain after a
 * SIGKILL and might later name another process.
 */
const addressOf = (home: string): string => {
  const name = `overa-${createHash("sha256").update(realpathSync(home)).digest("hex").slice(0, 32)}`
  if (process.platform === "linux") return `\0${name}`
  return process.platform === "win32" ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`)
}

type Listening = { readonly _tag: "Held"; readonly server: Server } | { readonly _tag: "Taken" } | {
  readonly _tag: "Failed"
  readonly why: string
}

const listen = (address: string) =>
  Effect.callback<Listening>((resume) => {
    const server = createServer((caller) => caller.on("error", () => undefined).end(String(process.pid)))
    server.once("error", (error: NodeJS.ErrnoException) =>
      resume(Effect.succeed(error.code === "EADDRINUSE" ? { _tag: "Taken" } : { _tag: "Failed", why: error.message })))
    server.listen(address, () => resume(Effect.succeed({ _tag: "Held", server })))
  })

/** The process id of the start that holds the home; null when none answers. */
const holder = (address: string) =>
  Effect.callback<string | null>((resume) => {
    let pid = ""
    const caller = connect(address)
    caller.on("data", (chunk: Buffer) => {
      pid += chunk.toString()
    })
    caller.once("error", () => resume(Effect.succeed(null)))
    caller.once("end", () => resume(Effect.succeed(pid)))
  })

const refuse = (line: string) => Effect.fail(new SandboxProblem({ line }))

const hold = Effect.fn("hold")(function*(home: string) {
  const address = addressOf(home)
  const first = yield* listen(address)
  if (first._tag === "Held") return first.server
  if (first._tag === "Failed") return yield* refuse(`${home} cannot be held: ${first.why}`)
  const pid = yield* holder(address)
  if (pid !== null) {
    return yield* refuse(`Overa already runs in ${home} (process ${pid}); stop it first, or choose another OVERA_HOME`)
  }
  // The socket file of a killed process; Linux and Windows leave none.
  yield* Effect.sync(() => rmSync(address, { force: true }))
  const again = yield* listen(address)
  return again._tag === "Held" ? again.server : yield* refuse(`${home} is being started by another process`)
})

/** Holds the home until the scope closes; fails with one line when another start holds it. */
export const onlyStart = (home: string) =>
  Effect.acquireRelease(hold(home), (server) =>
    Effect.callback<void>((resume) => {
      server.close(() => resume(Effect.void))
    }))
