import type { IncomingMessage } from "node:http"
import { describe, expect, it } from "vitest"
import { callerAddress, trustedProxies } from "../src/front/callerAddress.ts"

const from = (peer: string, forwarded: string | undefined, setting: string): string => {
  const trusted = trustedProxies(setting)
  if (trusted === undefined) throw new Error(`${setting} is no list`)
  const request = { headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded }, socket: { remoteAddress: peer } }
  return callerAddress(request as unknown as IncomingMessage, trusted)
}

describe("a caller's address", () => {
  it.each([
    ["nobody is trusted", "192.0.2.1", "203.0.113.9", "false", "192.0.2.1"],
    ["one hop of whoever is in front", "192.0.2.1", "198.51.100.1, 203.0.113.9", "true", "203.0.113.9"],
    ["a peer that is no proxy says nothing", "192.0.2.1", "203.0.113.9", "10.0.0.0/8", "192.0.2.1"],
    ["a trusted proxy is believed", "10.1.2.3", "203.0.113.9", "10.0.0.0/8", "203.0.113.9"],
    ["two of them in a row", "10.1.2.3", "203.0.113.9, 192.0.2.7", "10.0.0.0/8, 192.0.2.7", "203.0.113.9"],
    ["what the caller wrote itself is not", "10.1.2.3", "1.1.1.1, 203.0.113.9", "10.0.0.0/8", "203.0.113.9"],
    ["what is no address is not", "10.1.2.3", "nonsense", "10.0.0.0/8", "10.1.2.3"],
    ["without the header it is the proxy", "10.1.2.3", undefined, "10.0.0.0/8", "10.1.2.3"],
    ["IPv4 in IPv6", "::ffff:10.1.2.3", "203.0.113.9", "10.0.0.0/8", "203.0.113.9"],
    ["IPv6", "2001:db8::1", "2001:db8:1::9", "2001:db8::/48", "2001:db8:1::9"]
  ])("%s", (_what, peer, forwarded, setting, address) => {
    expect(from(peer, forwarded, setting)).toBe(address)
  })

  it.each(["yes", "", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0.0/-1", "2001:db8::/129", "10.0.0.1,"])("%j is no list of proxies", (setting) => {
    expect(trustedProxies(setting)).toBeUndefined()
  })
})
