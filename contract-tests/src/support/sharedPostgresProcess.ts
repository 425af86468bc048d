import { once } from "node:events"
import { startPostgresServer } from "./postgresServer.ts"

// The shared server's keeper: prints the port when it answers, and removes everything when the process that started it closes its input, by ending or
// by being killed.
const server = await startPostgresServer("shared", { durable: false })
process.stdout.write(`${server.port}\n`)
await once(process.stdin.resume(), "end")
await server.destroy()
