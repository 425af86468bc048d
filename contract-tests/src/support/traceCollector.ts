import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** An OpenTelemetry collector that keeps what it receives. */
export interface TraceCollector {
  readonly url: string
  /** Every body received so far. */
  readonly received: () => string
  readonly stop: () => Promise<void>
}

/** Listens on a free port. */
export const traceCollector = async (): Promise<TraceCollector> => {
  const bodies: Array<Buffer> = []
  const server = createServer((request, response) => {
    request.on("data", (chunk: Buffer) => bodies.push(chunk))
    request.on("end", () => response.end("{}"))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => Buffer.concat(bodies).toString("utf8"),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
