import { createServer } from "node:net"
import { Effect } from "effect"
import { SandboxProblem } from "./SandboxProblem.ts"

/** Whether the port is free on this machine's loopback. */
export const isFree = (port: number): Effect.Effect<boolean> =>
  Effect.callback<boolean>((resume) => {
    const probe = createServer()
    probe.once("error", () => resume(Effect.succeed(false)))
    probe.listen(port, "127.0.0.1", () => probe.close(() => resume(Effect.succeed(true))))
  })

/** A port of the loopback that is free at this moment. */
export const freePort: Effect.Effect<number, SandboxProblem> = Effect.callback<number, SandboxProblem>((resume) => {
  const probe = createServer()
  probe.once("error", () => resume(Effect.fail(new SandboxProblem({ line: "there is no free port on 127.0.0.1" }))))
  probe.listen(0, "127.0.0.1", () => {
    const address = probe.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    probe.close(() => resume(Effect.succeed(port)))
  })
})
