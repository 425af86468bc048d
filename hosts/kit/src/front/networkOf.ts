import { isIP } from "node:net"

const firstGroups = (address: string, count: number): string => {
  if (isIP(address) !== 6) return address
  const [before = "", after] = address.split("::")
  const first = before === "" ? [] : before.split(":")
  const groups = after === undefined ? first : [...first, ...Array.from({ length: count }, () => "0")]
  return groups.slice(0, count).map((group) => Number.parseInt(group, 16).toString(16)).join(":")
}

/**
 * The network of one subscriber: an IPv4 address, or the first 64 bits of an IPv6 address, because a subscriber has at least all addresses with these
 * bits (RFC 6177). Limits of load by address use it.
 *
 * @example networkOf("2001:db8:0:1:2:3:4:5") // "2001:db8:0:1"
 */
export const networkOf = (address: string): string => firstGroups(address, 4)

/**
 * The network whose guesses at one account are counted together: the first 48 bits of an IPv6 address, because a subscriber can have that many (RFC 6177).
 * Others in the same network share nothing by it but the count for that account.
 *
 * @example guessingNetworkOf("2001:db8:0:1:2:3:4:5") // "2001:db8:0"
 */
export const guessingNetworkOf = (address: string): string => firstGroups(address, 3)
