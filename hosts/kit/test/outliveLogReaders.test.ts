import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const runHost = fileURLToPath(new URL("../src/runHost.ts", import.meta.url))

// It logs whenever it is asked to, and says through its own channel that it is still there.
const program = `
import { runHost } from ${JSON.stringify(runHost)}
const write = (line) => process.stdout.write(line + "\\n")
runHost("test", write, async () => {
  process.on("message", (asked) => {
    write("a line"); process.stderr.write("a fault\\n")
    setImmediate(() => setImmediate(() => process.send(asked)))
  })
  process.send("serving")
  return { stop: async () => process.disconnect() }
})`

describe("a log whose reader goes away", () => {
  it("does not end a host", async () => {
    const host = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "pipe", "ipc"] })
    const exited = once(host, "exit")
    const told = async (): Promise<unknown> => {
      const [message] = await Promise.race([once(host, "message"), exited.then(([code]) => [`ended with ${String(code)}`])])
      return message
    }
    expect(await told()).toBe("serving")
    host.stdout?.destroy()
    host.stderr?.destroy()
    for (const asked of [1, 2, 3, 4, 5]) {
      host.send(asked)
      expect(await told()).toBe(asked)
    }
    host.kill("SIGTERM")
    expect(await exited).toEqual([0, null])
  })
})
