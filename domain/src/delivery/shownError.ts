const longest = 300

/**
 * Servers repeat addresses in their answers, sometimes other people's (of a forwarding rule or a list), so every word with an at sign is treated as
 * an address.
 */
const withoutAddress = (word: string): string => (word.includes("@") ? "(address)" : word)

/**
 * A server's words as `lastError` shows them: one line, at most 300 characters, no e-mail address (Decisions §12).
 *
 * @example shownError("550 5.1.1 <a@b.rs>: no such user") // "550 5.1.1 (address) no such user"
 */
export const shownError = (words: string): string => {
  const line = words.replaceAll(/[\p{C}\s]+/gu, " ").trim().split(" ").map(withoutAddress).join(" ")
  return Array.from(line).length <= longest ? line : `${Array.from(line).slice(0, longest - 1).join("")}…`
}
