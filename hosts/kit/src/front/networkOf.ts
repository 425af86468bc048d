import { isIP } from "node:net"

const groupsOfNetwork = 4

/**
 * The network of one subscriber: an IPv4 address, or the first 64 bits of an IPv6 address, because a subscriber has at least all addresses with these
 * bits (RFC 6177). Limits by address use it.
 *
 * @example networkOf("2001:db8:0:1:2:3:4:5") // "2001:db8:0:1"
 */
export const networkOf = (address: string): string => {
  if (isIP(address) !== 6) return address
  const [before = "", after] = address.split("::")
  const first = before === "" ? [] : before.split(":")
  const groups = after === undefined ? first : [...first, ...Array.from({ length: groupsOfNetwork }, () => "0")]
  return groups.slice(0, groupsOfNetwork).map((group) => Number.parseInt(group, 16).toString(16)).join(":")
}
