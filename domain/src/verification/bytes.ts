/** One character a byte, as `atob` gives them; null when the text is no base64. Runs in browsers and in Node alike. */
const binaryFromBase64 = (text: string): string | null => {
  try {
    return atob(text)
  } catch {
    return null // atob has no other way to say "not base64"
  }
}

/** The bytes of a base64 text; null when it is none. */
export const bytesFromBase64 = (text: string): Uint8Array | null => {
  const binary = binaryFromBase64(text)
  if (binary === null) return null
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i)
  return bytes
}

/** Whether a base64 text holds exactly these bytes. Nothing secret is compared here, so it need not take constant time. */
export const isBase64Of = (text: string, bytes: Uint8Array): boolean => {
  const binary = binaryFromBase64(text)
  if (binary?.length !== bytes.length) return false
  for (let i = 0; i < bytes.length; i += 1) if (binary.charCodeAt(i) !== bytes[i]) return false
  return true
}

/** Whether two byte strings are the same. Nothing secret is compared here, so it need not take constant time. */
export const bytesEqual = (a: Uint8Array, b: Uint8Array): boolean => {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false
  return true
}
