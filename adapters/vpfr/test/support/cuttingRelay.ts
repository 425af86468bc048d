import { connect, createServer, type Socket } from "node:net"

/** TLS record type of application data: the request itself, as opposed to the handshake. */
const applicationData = 23

/** A connection that breaks just before the first record of application data would be passed on. */
export const cuttingRelay = async (targetPort: number) => {
  let cuts = 0
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(targetPort, "127.0.0.1")
    const cut = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on("error", () => undefined)
      socket.on("close", cut)
    }
    far.on("data", (chunk) => near.write(chunk))
    near.on("data", (chunk: Buffer) => {
      if (chunk[0] !== applicationData) return void far.write(chunk)
      cuts += 1
      cut()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    url: `https://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    cuts: () => cuts,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of open) socket.destroy()
        server.close(() => resolve())
      })
  }
}
