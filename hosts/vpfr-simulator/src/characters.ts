// Receipts count code points. Nearly every text has none outside the Basic Multilingual Plane, and is then not taken apart.
const hasSurrogates = (text: string): boolean => /[\uD800-\uDFFF]/.test(text)

/** The number of code points. */
export const characterCount = (text: string): number => (hasSurrogates(text) ? [...text].length : text.length)

/** Pieces of `size` code points, the last one shorter; one empty piece for an empty text. */
export const piecesOf = (text: string, size: number): ReadonlyArray<string> => {
  const characters = hasSurrogates(text) ? [...text] : null
  const count = characters?.length ?? text.length
  const pieceAt = (at: number): string => characters?.slice(at, at + size).join("") ?? text.slice(at, at + size)
  return Array.from({ length: Math.max(1, Math.ceil(count / size)) }, (_, piece) => pieceAt(piece * size))
}
