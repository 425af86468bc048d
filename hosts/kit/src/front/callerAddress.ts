import Koa from "koa"
import type { IncomingMessage } from "node:http"
import { BlockList, isIP, type Socket } from "node:net"

/** The proxies that are trusted to name a caller's address: those of a list, any direct peer, or none. */
export type TrustedProxies = BlockList | "whoever is in front" | null

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4")

/** As Node shows an IPv4 peer of a socket that listens on both families. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, "")

/** The other end of a connection. */
export const peerAddress = (socket: Pick<Socket, "remoteAddress">): string => plain(socket.remoteAddress ?? "")

/**
 * The setting as a list: `false`, `true` for any peer that connects, or addresses and networks separated by commas. Undefined for any other text.
 *
 * @example trustedProxies("10.0.0.0/8, 192.0.2.7")
 */
export const trustedProxies = (setting: string): TrustedProxies | undefined => {
  if (setting === "false") return null
  if (setting === "true") return "whoever is in front"
  const list = new BlockList()
  for (const entry of setting.split(",").map((text) => text.trim())) {
    const [address = "", bits, ...rest] = entry.split("/")
    const most = isIP(address) === 6 ? 128 : 32
    if (isIP(address) === 0 || rest.length > 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most))) return undefined
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

/**
 * The origin of a request: the connection's peer, or behind trusted proxies the last address of `X-Forwarded-For` that is none of theirs. The
 * addresses before it were written by the caller and are ignored.
 */
export const callerAddress = ({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">, trusted: TrustedProxies): string => {
  let address = peerAddress(socket)
  if (trusted === null) return address
  const hops = String(headers["x-forwarded-for"] ?? "").split(",").map((hop) => plain(hop.trim())).slice(-mostHops)
  const isTrusted = (hop: string, depth: number): boolean =>
    typeof trusted === "string" ? depth === 0 : trusted.check(hop, familyOf(hop))
  for (let depth = 0; isTrusted(address, depth); depth += 1) {
    const hop = hops.pop() ?? ""
    if (isIP(hop) === 0) break
    address = hop
  }
  return address
}

/** Whether a connection comes from a trusted proxy: it carries the connections of all the proxy's callers. */
export const isFromProxy = (peer: string, trusted: TrustedProxies): boolean =>
  trusted !== null && (typeof trusted === "string" || trusted.check(peer, familyOf(peer)))

/** More proxies in a chain than any installation has. */
const mostHops = 10

/** A Koa application whose `ip` is the caller's address. */
export const koaBehind = (trusted: TrustedProxies): Koa => {
  const app = new Koa()
  Object.defineProperty(app.request, "ip", {
    get(this: Koa.Request) {
      return callerAddress(this.req, trusted)
    }
  })
  return app
}
