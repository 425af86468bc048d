import type { IncomingMessage } from "node:http"

/** Far above any receipt; the real limit is unknown (V-PFR §12.5). */
export const bodyLimit = 8 * 1024 * 1024

/** The whole body, or null where it is larger than the limit; rejects when the client disconnects before its end. */
export const readBody = (request: IncomingMessage): Promise<Buffer | null> =>
  new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    let length = 0
    request.on("data", (chunk: Buffer) => {
      length += chunk.length
      if (length > bodyLimit) resolve(null)
      else chunks.push(chunk)
    })
    request.on("end", () => resolve(Buffer.concat(chunks)))
    request.on("error", reject)
    request.on("close", () => reject(new Error("The client closed the connection before the end of the request.")))
    request.resume()
  })

/** Resolves once half of the announced body, or all of it, has arrived. */
export const readHalf = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    const half = Number(request.headers["content-length"] ?? 0) / 2
    let length = 0
    request.on("data", (chunk: Buffer) => {
      length += chunk.length
      if (length >= half) resolve()
    })
    request.on("end", resolve)
    request.on("close", resolve)
    request.resume()
  })
