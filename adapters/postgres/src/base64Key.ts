/**
 * The bytes of a key that is written in base64, of either alphabet and with or without padding; null where the text is anything else. Node's own reading passes
 * over every other character: two keys with a semicolon between them would be one key, that of the first.
 *
 * @example base64Key("c2hv")?.length // 3
 */
export const base64Key = (text: string): Buffer | null => {
  const bytes = Buffer.from(text, "base64")
  const bare = text.replace(/={0,2}$/, "").replaceAll("+", "-").replaceAll("/", "_")
  return bytes.toString("base64url") === bare ? bytes : null
}
