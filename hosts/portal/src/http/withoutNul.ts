/** A text without its NUL characters, which the database does not store and no field needs. */
export const withoutNul = (text: string): string => text.replaceAll("\0", "")

/** The parameters of a query string. The NUL characters are removed after decoding: `%%0000` still holds one after a removal before. */
export const queryOf = (search: string): URLSearchParams =>
  new URLSearchParams([...new URLSearchParams(search)].map(([name, value]) => [name, withoutNul(value)]))
