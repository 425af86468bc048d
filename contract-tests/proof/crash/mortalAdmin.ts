import { Socket } from "node:net"
import { runAdmin } from "@overa/admin"

/**
 * The operator's command as in production, in a process that ends like a machine that fails right after it has given the database something for the
 * `CRASH_HIT`-th time since its first transaction began. Whether the server receives it, and its transaction is committed, is as open as in such a failure.
 */
const hit = Number(process.env["CRASH_HIT"] ?? "0")
const port = Number(new URL(process.env["DATABASE_URL"] ?? "").port)

let [begun, given] = [false, 0]
const write = Object.getOwnPropertyDescriptor(Socket.prototype, "_write")?.value as (...args: ReadonlyArray<unknown>) => unknown
const writev = Object.getOwnPropertyDescriptor(Socket.prototype, "_writev")?.value as typeof write

/** What is written: bytes, or a list of chunks with bytes. */
const textOf = (written: unknown): string => {
  if (written instanceof Uint8Array) return Buffer.from(written).toString("latin1")
  if (Array.isArray(written)) return written.map((part: { readonly chunk?: unknown }) => textOf(part.chunk)).join("")
  return typeof written === "string" ? written : ""
}

const counted = (original: typeof write) =>
  function(this: Socket, ...args: ReadonlyArray<unknown>): unknown {
    const result = original.apply(this, [...args])
    if (this.remotePort !== port) return result
    begun ||= textOf(args[0]).includes("begin")
    if (begun && ++given === hit) process.kill(process.pid, "SIGKILL")
    return result
  }
Object.defineProperty(Socket.prototype, "_write", { value: counted(write), writable: true, configurable: true })
Object.defineProperty(Socket.prototype, "_writev", { value: counted(writev), writable: true, configurable: true })

process.exitCode = await runAdmin(process.argv.slice(2), {
  environment: process.env,
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  nextLine: () => Promise.resolve(null),
  ask: null,
  userName: "ana"
})
process.stderr.write(`given ${given}\n`)
