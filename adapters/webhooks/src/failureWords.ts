/** A failure in words that fit into a line of a log: without line breaks, and not long. */
export const failureWords = (cause: unknown): string => {
  const { code, message } = cause as { readonly code?: unknown; readonly message?: string }
  const words = message === undefined || message === "" ? String(code ?? cause) : message
  return shortWords(words)
}

/** Words of somebody else on one line. */
export const shortWords = (words: string): string => Array.from(words.replaceAll(/[\p{C}\s]+/gu, " ").trim()).slice(0, 300).join("")
