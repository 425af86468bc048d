import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { CannotListen } from "../front/listen.ts"
import { pathOf } from "../front/requestTarget.ts"
import type { OperationalAnswers } from "./operationalAnswers.ts"

/** Serves the three addresses of the operator's monitoring and nothing else: for a process that has no other addresses. */
export const serveOperational = (
  answers: OperationalAnswers,
  address: { readonly host: string; readonly port: number },
  portSetting: string
): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> => {
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000, maxHeaderSize: 16_384 }, (request, response) => {
    const path = pathOf(request.url ?? "")
    const ask = request.method === "GET" && Object.hasOwn(answers, path) ? answers[path as keyof OperationalAnswers] : null
    if (ask === null) return void response.writeHead(404, { "Content-Length": "0" }).end()
    ask().then(
      ({ body, mediaType, status }) => void response.writeHead(status, { "Content-Type": mediaType, "Cache-Control": "no-store" }).end(body),
      () => void response.writeHead(500, { "Content-Length": "0" }).end()
    )
  })
  server.maxConnections = 64
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(new CannotListen(error, address, portSetting)))
    server.listen(address.port, address.host, () =>
      resolve({
        port: (server.address() as AddressInfo).port,
        stop: () =>
          new Promise((stopped) => {
            server.close(() => stopped())
            server.closeAllConnections()
          })
      }))
  })
}
