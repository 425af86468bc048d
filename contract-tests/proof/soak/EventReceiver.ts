import { createServer, type IncomingMessage, type Server } from "node:http"
import { connect } from "node:net"
import { verifyWebhook } from "@overa/client"
import { listeningPort } from "./listeningPort.ts"

/** An address of the internet, as workers demand one; everything for it comes through the proxy. */
const publicAddress = "http://93.184.215.14"

/** The shops' receiver of events, and the proxy through which the workers reach it although it is on this machine. */
export class EventReceiver {
  /** How often each event came with a signature that verifies. */
  readonly received = new Map<string, number>()
  /** Messages whose signature did not verify. */
  forged = 0
  private readonly secrets = new Map<string, string>()
  private readonly server: Server
  private port = 0

  private constructor() {
    this.server = createServer((request, response) => {
      void this.take(request).then((isGenuine) => response.writeHead(isGenuine ? 204 : 400).end())
    })
    this.server.on("connect", (_request, near, head: Buffer) => {
      const far = connect(this.port, "127.0.0.1", () => {
        near.write("HTTP/1.1 200 Connection established\r\n\r\n")
        far.write(head)
        near.pipe(far).pipe(near)
      })
      for (const [one, other] of [[near, far], [far, near]] as const) one.on("error", () => other.destroy()).on("close", () => other.destroy())
    })
  }

  static async open(): Promise<EventReceiver> {
    const receiver = new EventReceiver()
    receiver.port = await listeningPort(receiver.server)
    return receiver
  }

  get proxyUrl(): string {
    return `http://127.0.0.1:${this.port}`
  }

  urlOf(shop: string): string {
    return `${publicAddress}/${shop}`
  }

  /** From now on the shop's events are accepted. */
  trust(shop: string, secret: string): void {
    this.secrets.set(`/${shop}`, secret)
  }

  private async take(request: IncomingMessage): Promise<boolean> {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const secret = this.secrets.get(request.url ?? "")
    const header = (name: string) => request.headers[name]?.toString()
    const event = secret === undefined ? null : await verifyWebhook({ body: Buffer.concat(chunks).toString("utf8"), header }, [secret])
    if (event === null) {
      this.forged += 1
      return false
    }
    const { id } = event as { readonly id: string }
    this.received.set(id, (this.received.get(id) ?? 0) + 1)
    return true
  }

  close(): Promise<void> {
    this.server.closeAllConnections()
    return new Promise((resolve) => this.server.close(() => resolve()))
  }
}
