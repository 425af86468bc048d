import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer, type Server } from "node:net"
import { fileURLToPath } from "node:url"

declare module "vitest" {
  interface ProvidedContext {
    /** The port to ask for the shared PostgreSQL server; the first request starts it. */
    readonly postgresStarterPort: number
  }
}

interface Project {
  readonly provide: (key: "postgresStarterPort", value: number) => void
}

const keeperEntry = fileURLToPath(new URL("./sharedPostgresProcess.ts", import.meta.url))

/** The server lives in a process of its own: vitest loads this file without the condition that leads to the sources. */
const startKeeper = async (): Promise<{ readonly keeper: ChildProcess; readonly port: string }> => {
  const keeper = spawn(process.execPath, ["--conditions=@overa/source", keeperEntry], { stdio: ["pipe", "pipe", "pipe"] })
  let errors = ""
  keeper.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()))
  const said = await Promise.race([once(keeper.stdout, "data"), once(keeper, "exit").then(() => null)])
  if (said === null) throw new Error(`PostgreSQL did not start: ${errors}`)
  return { keeper, port: String(said[0]).trim() }
}

const stopKeeper = async (keeper: ChildProcess): Promise<void> => {
  const ended = once(keeper, "exit")
  keeper.stdin?.end()
  await ended
}

/**
 * One PostgreSQL for a whole test run, started only when a test first asks for it. A test file connects to the starter's port and
 * reads the server's port from it.
 */
export default async function globalPostgres(project: Project): Promise<() => Promise<void>> {
  let server: ReturnType<typeof startKeeper> | undefined
  const starter: Server = createServer((socket) => {
    socket.on("error", () => socket.destroy())
    server ??= startKeeper()
    server.then(
      ({ port }) => socket.end(port),
      (cause: unknown) => socket.end(`failed: ${cause instanceof Error ? cause.message : String(cause)}`)
    )
  })
  await new Promise<void>((resolve) => starter.listen(0, "127.0.0.1", resolve))
  const address = starter.address()
  if (typeof address !== "object" || address === null) throw new Error("The PostgreSQL starter has no port")
  project.provide("postgresStarterPort", address.port)
  return async () => {
    starter.close()
    if (server !== undefined) await stopKeeper((await server).keeper)
  }
}
