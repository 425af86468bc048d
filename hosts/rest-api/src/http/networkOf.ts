import { isIP } from "node:net"

const groupsOfNetwork = 4

/**
 * The network that one subscriber has: an IPv4 address by itself, of an IPv6 address its first 64 bits, because a subscriber has at least as many
 * addresses as the other 64 can say (RFC 6177). What is counted by address is counted by this.
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
