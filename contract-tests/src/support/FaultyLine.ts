import { connect, createServer, type Server, type Socket } from "node:net"

/** A connection to a server that can be broken on purpose, with the failures of database connections in practice. */
export class FaultyLine {
  private readonly server: Server
  private readonly links = new Set<{ readonly near: Socket; readonly far: Socket }>()
  private readonly target: number
  /** The server's answers are discarded: statements run, and their caller never learns of it. */
  deaf = false
  /** Data to the server is discarded: nothing runs, and the caller never learns of it. */
  mute = false

  private constructor(target: number) {
    this.target = target
    this.server = createServer((near) => this.join(near))
  }

  static async open(target: number): Promise<FaultyLine> {
    const line = new FaultyLine(target)
    await new Promise<void>((resolve) => line.server.listen(0, "127.0.0.1", resolve))
    return line
  }

  get port(): number {
    const address = this.server.address()
    if (typeof address !== "object" || address === null) throw new Error("The line is closed")
    return address.port
  }

  private join(near: Socket): void {
    const far = connect(this.target, "127.0.0.1")
    const link = { near, far }
    this.links.add(link)
    near.on("data", (chunk) => void (this.mute || far.write(chunk)))
    far.on("data", (chunk) => void (this.deaf || near.write(chunk)))
    const part = () => {
      this.links.delete(link)
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.on("close", part).on("error", part)
  }

  /** Cuts every existing connection; new ones may be opened. */
  cut(): void {
    for (const { near, far } of this.links) {
      near.destroy()
      far.destroy()
    }
  }

  close(): Promise<void> {
    this.cut()
    return new Promise((resolve) => this.server.close(() => resolve()))
  }
}
