/** The bytes of a base64 text; null when it is none. Runs in browsers and in Node alike. */
export const bytesFromBase64 = (text: string): Uint8Array | null => {
  try {
    const binary = atob(text)
    const bytes = new Uint8Array(binary.length)
    for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i)
    return bytes
  } catch {
    return null // atob has no other way to say "not base64"
  }
}
