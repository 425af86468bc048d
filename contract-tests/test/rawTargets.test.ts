import { serveOperational } from "@overa/host-kit"
import { startSimulator } from "@overa/vpfr-simulator"
import { serveWitness, WitnessState } from "@overa/witness"
import { Effect, Exit, Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { mailCatcher } from "../../hosts/sandbox/src/mail/mailCatcher.ts"

/** The status of the answer to a request line with this target, written by hand. */
const statusOf = (port: number, target: string, method = "GET"): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(`${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`))
    socket.on("data", (chunk) => answer += chunk.toString()).on("close", () => resolve(answer.split(" ", 2)[1] ?? "none")).on("error", reject)
  })

/** Says things to a mail server and resets the connection when it has answered all of them. */
const leaveMailServer = (port: number, lines: ReadonlyArray<string>): Promise<void> =>
  new Promise((resolve, reject) => {
    const left = [...lines]
    const socket = connect(port, "127.0.0.1").on("error", reject).on("close", () => resolve())
    socket.on("data", () => {
      const next = left.shift()
      if (next === undefined) socket.resetAndDestroy()
      else socket.write(`${next}\r\n`)
    })
  })

const local = { host: "127.0.0.1", port: 0 }
const ports = { operational: 0, catcher: 0, smtp: 0, witness: 0, control: 0, verification: 0 }
const scope = Scope.makeUnsafe()
const folder = mkdtempSync(join(tmpdir(), "overa-targets-"))
const opened: Array<() => unknown> = [() => Effect.runPromise(Scope.close(scope, Exit.void)), () => rmSync(folder, { recursive: true, force: true })]
const portOf = (address: string): number => Number(new URL(address).port)

beforeAll(async () => {
  const ok = () => Promise.resolve({ status: 200, mediaType: "text/plain", body: "x" })
  const operational = await serveOperational({ "/health/live": ok, "/health/ready": ok, "/metrics": ok }, local, "OVERA_WORKER_PORT")
  const catcher = await Effect.runPromise(Effect.provideService(mailCatcher, Scope.Scope, scope))
  const witness = await serveWitness({ name: "w", secretKey: new Uint8Array(32), logKeys: [], state: new WitnessState(folder), now: () => 1 }, local)
  const simulator = await startSimulator()
  opened.push(operational.stop, witness.stop, () => simulator.stop())
  Object.assign(ports, {
    operational: operational.port, catcher: portOf(catcher.webUrl), smtp: portOf(catcher.smtpUrl), witness: portOf(witness.url),
    control: portOf(simulator.controlUrl), verification: portOf(simulator.sandbox.verificationUrl)
  })
})
afterAll(async () => {
  for (const close of opened.toReversed()) await close()
})

/** RFC 9112 §3.2: a target is a path, an address with a host, or `*`; a caller can write anything. */
describe("a request whose target no parser of addresses reads", () => {
  const targets = ["//", "///", "http://[", "http://", "*", "", "/%", "//[", "http://a:b/"]

  it.each(targets)("%j is refused or unknown at every address without a caller, and the process goes on", async (target) => {
    const refused = target === "" ? ["400"] : ["404", "400"]
    for (const at of ["operational", "witness", "control", "verification"] as const) expect(refused, at).toContain(await statusOf(ports[at], target))
    // The catcher's list is at its empty path, so that some of these are the list.
    expect(["200", "404", "400"]).toContain(await statusOf(ports.catcher, target))
  })

  it("whose target names a host gets what its path means", async () => {
    expect(await statusOf(ports.operational, "http://worker.example/metrics?a=b")).toBe("200")
    expect(await statusOf(ports.catcher, "http://catcher.example/messages")).toBe("200")
    expect(await statusOf(ports.witness, "http://witness.example/add-checkpoint", "GET")).toBe("405")
  })

  it("names no member that every object has", async () => {
    expect(await statusOf(ports.operational, "/constructor")).toBe("404")
  })
})

it("a sender that leaves in the middle of a message does not end the mail catcher", async () => {
  await leaveMailServer(ports.smtp, ["EHLO a", "MAIL FROM:<a@example.rs>", "RCPT TO:<b@example.rs>", "DATA"])
  expect(await statusOf(ports.catcher, "/messages")).toBe("200")
})
