import { createServer, type Server, type Socket } from "node:net"
import { listeningPort } from "./listeningPort.ts"

/** A mail server that takes every message and keeps only to whom each was. */
export class MailSink {
  /** Recipients in the order of their messages, one each. */
  readonly taken: Array<string> = []
  private readonly server: Server
  private readonly open = new Set<Socket>()
  private port = 0

  private constructor() {
    this.server = createServer((socket) => this.talk(socket))
  }

  static async open(): Promise<MailSink> {
    const sink = new MailSink()
    sink.port = await listeningPort(sink.server)
    return sink
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`
  }

  private talk(socket: Socket): void {
    this.open.add(socket)
    socket.on("close", () => this.open.delete(socket)).on("error", () => socket.destroy())
    const say = (line: string) => void socket.write(`${line}\r\n`)
    let text = ""
    let isMessage = false
    let recipients: ReadonlyArray<string> = []
    const answer = (line: string): void => {
      const [verb = ""] = line.toUpperCase().split(/[ :]/)
      const recipient = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1]
      if (recipient !== undefined) recipients = [...recipients, recipient]
      if (verb === "DATA") {
        isMessage = true
        return say("354 go on")
      }
      if (verb === "RSET" || verb === "MAIL") recipients = []
      if (verb === "QUIT") return void socket.end("221 bye\r\n")
      say("250 ok")
    }
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1")
      for (;;) {
        const end = isMessage ? "\r\n.\r\n" : "\r\n"
        const at = text.indexOf(end)
        if (at < 0) return
        const before = text.slice(0, at)
        text = text.slice(at + end.length)
        if (!isMessage) {
          answer(before)
          continue
        }
        isMessage = false
        this.taken.push(...recipients)
        say("250 taken")
      }
    })
    say("220 soak")
  }

  close(): Promise<void> {
    for (const socket of this.open) socket.destroy()
    return new Promise((resolve) => this.server.close(() => resolve()))
  }
}
