import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** An OpenTelemetry collector that keeps what it receives. */
export interface TraceCollector {
  readonly url: string
  /** Every body received so far. */
  readonly received: () => string
  /** The same, each on its own. */
  readonly bodies: () => ReadonlyArray<string>
  /** Forgets what was received. */
  readonly forget: () => void
  readonly stop: () => Promise<void>
}

/** Listens on a free port. */
export const traceCollector = async (): Promise<TraceCollector> => {
  const bodies: Array<Buffer> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      bodies.push(Buffer.concat(chunks))
      response.end("{}")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => Buffer.concat(bodies).toString("utf8"),
    bodies: () => bodies.map((body) => body.toString("utf8")),
    forget: () => void bodies.splice(0),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
