/** The longest address a mail server must take, in octets (RFC 5321, 4.5.3.1.3 less its brackets). */
export const longestAddress = 254
/** The longest part before the at sign, in octets (RFC 5321, 4.5.3.1.1). */
const longestLocalPart = 64

// Unquoted local parts and names of domains, in any script. White space, brackets, commas, colons, semicolons and quotes stay out: they
// could turn one recipient into several, or into a header of the message.
const localPart = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const domainName = /^(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])$/u

const octets = (text: string): number => new TextEncoder().encode(text).length

/**
 * What is wrong with the form of an e-mail address, or undefined. Whether the mailbox exists only a delivery can tell.
 *
 * @example recipientFault("kupac@example.rs") // undefined
 */
export const recipientFault = (address: string): string | undefined => {
  if (octets(address) > longestAddress) return `must have at most ${longestAddress} octets`
  const at = address.lastIndexOf("@")
  const local = address.slice(0, Math.max(at, 0))
  return at > 0 && octets(local) <= longestLocalPart && localPart.test(local) && domainName.test(address.slice(at + 1))
    ? undefined
    : "must be one e-mail address, like kupac@example.rs"
}
