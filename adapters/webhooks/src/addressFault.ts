import { BlockList, isIPv6 } from "node:net"

/** Networks that are not the internet (IANA special-purpose registries). */
const ipv4Networks: ReadonlyArray<readonly [network: string, prefix: number]> = [
  ["0.0.0.0", 8], ["10.0.0.0", 8], ["100.64.0.0", 10], ["127.0.0.0", 8], ["169.254.0.0", 16], ["172.16.0.0", 12], ["192.0.0.0", 24], ["192.0.2.0", 24],
  ["192.88.99.0", 24], ["192.168.0.0", 16], ["198.18.0.0", 15], ["198.51.100.0", 24], ["203.0.113.0", 24], ["224.0.0.0", 4], ["240.0.0.0", 4]
]

/** Of IPv6 only global unicast is the internet; of it these are not, and the last two contain an IPv4 address. */
const ipv6Networks: ReadonlyArray<readonly [network: string, prefix: number]> = [
  ["2001::", 23], ["2001:db8::", 32], ["3fff::", 20], ["2002::", 16]
]

const closedIpv4 = new BlockList()
for (const [network, prefix] of ipv4Networks) closedIpv4.addSubnet(network, prefix, "ipv4")
const closedIpv6 = new BlockList()
for (const [network, prefix] of ipv6Networks) closedIpv6.addSubnet(network, prefix, "ipv6")
const globalUnicast = new BlockList()
globalUnicast.addSubnet("2000::", 3, "ipv6")

/** A mapped address (`::ffff:127.0.0.1`) is outside of global unicast and so refused, whatever it contains; a receiver has its IPv4 address too. */
const isOpen = (address: string): boolean =>
  isIPv6(address)
    ? globalUnicast.check(address, "ipv6") && !closedIpv6.check(address, "ipv6")
    : !closedIpv4.check(address, "ipv4")

/**
 * Why nothing is sent to an address, or undefined: only addresses of the internet are open, so that nobody reaches an installation's own network
 * through its worker.
 *
 * @example addressFault("169.254.169.254") // "169.254.169.254 is not an address of the internet"
 */
export const addressFault = (address: string): string | undefined => isOpen(address) ? undefined : `${address} is not an address of the internet`
