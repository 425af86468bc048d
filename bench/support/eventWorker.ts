import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { cpuMillis, heapArguments } from "../../contract-tests/src/support/hostProcess.ts"

/** A shop's receiver behind a proxy: the worker connects to addresses of the internet only, and the proxy leads each of them here. It takes everything. */
export const startReceiver = async () => {
  let taken = 0
  const receiver: Server = createServer((request, response) => {
    request.resume().on("end", () => {
      taken += 1
      response.writeHead(204).end()
    })
  })
  receiver.on("connect", (_request, socket: Socket) => {
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
    receiver.emit("connection", socket)
  })
  receiver.listen(0, "127.0.0.1")
  await once(receiver, "listening")
  return {
    proxyUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    taken: (): number => taken,
    stop: () => {
      receiver.closeAllConnections()
      receiver.close()
    }
  }
}

/** The real worker, in a process of its own. */
export const startWorker = async (settings: Readonly<Record<string, string>>) => {
  const main = new URL("../../hosts/worker/src/main.ts", import.meta.url).pathname
  const child: ChildProcess = spawn(process.execPath, [...heapArguments(), "--conditions=@overa/source", main], {
    env: { ...process.env, ...settings, OVERA_WORKER_PORT: "0", OVERA_LOG_LEVEL: "info" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  await new Promise<void>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the worker ended with ${code}`)))
    child.stdout?.on("data", (chunk: Buffer) => chunk.toString().includes('"running"') ? resolve() : undefined)
  })
  return {
    cpuMillis: (): number => cpuMillis(child.pid ?? 0),
    stop: async (): Promise<void> => {
      const ended = once(child, "exit")
      child.kill("SIGTERM")
      await ended
    }
  }
}
