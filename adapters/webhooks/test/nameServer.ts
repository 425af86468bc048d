import { createSocket } from "node:dgram"
import type { AddressInfo } from "node:net"
import { isIPv6 } from "node:net"

/** What a name server says of a name: its addresses, nothing at all, or that there is no such name. Without an address of the family that was asked for: none. */
export type Said = ReadonlyArray<string> | "SILENCE" | "NO_SUCH_NAME"

export interface RunningNameServer {
  readonly address: string
  /** The questions so far, as `A shop.example`. */
  readonly asked: ReadonlyArray<string>
  readonly close: () => void
}

const questionOf = (message: Buffer) => {
  const labels: Array<string> = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.subarray(at + 1, at + 1 + length).toString("latin1"))
    at += length + 1
  }
  return { name: labels.join(".").toLowerCase(), type: message.readUInt16BE(at + 1), section: message.subarray(12, at + 5) }
}

const bytesOf = (address: string): Buffer => {
  if (!isIPv6(address)) return Buffer.from(address.split(".").map(Number))
  const [head = "", tail = ""] = address.split("::")
  const [first, last] = [head, tail].map((part) => part.split(":").filter((group) => group !== ""))
  const groups = [...(first ?? []), ...Array.from({ length: 8 - (first?.length ?? 0) - (last?.length ?? 0) }, () => "0"), ...(last ?? [])]
  return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex")
}

const recordOf = (type: number, address: string): Buffer => {
  const bytes = bytesOf(address)
  const head = Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length])
  return Buffer.concat([head, bytes])
}

/** A name server on the loopback (RFC 1035). `say` is asked with the type, `A` or `AAAA`, and the name. */
export const startNameServer = async (say: (type: "A" | "AAAA", name: string) => Said): Promise<RunningNameServer> => {
  const asked: Array<string> = []
  const socket = createSocket("udp4")
  socket.on("message", (message, { address, port }) => {
    const { name, section, type } = questionOf(message)
    const kind = type === 28 ? "AAAA" : "A"
    asked.push(`${kind} ${name}`)
    const said = say(kind, name)
    if (said === "SILENCE") return
    const records = said === "NO_SUCH_NAME" ? [] : said.filter((one) => isIPv6(one) === (kind === "AAAA")).map((one) => recordOf(type, one))
    const head = Buffer.from([message[0] ?? 0, message[1] ?? 0, 0x81, said === "NO_SUCH_NAME" ? 0x83 : 0x80, 0, 1, 0, records.length, 0, 0, 0, 0])
    socket.send(Buffer.concat([head, section, ...records]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve))
  return { address: `127.0.0.1:${(socket.address() as AddressInfo).port}`, asked, close: () => void socket.close() }
}
