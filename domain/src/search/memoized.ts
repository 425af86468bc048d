/**
 * The same function of a text, which keeps the results of its first `most` different texts. Every other text is computed at each call, so that no caller can
 * fill the memory.
 *
 * @example const folded = memoized(foldCharacter, 4_096)
 */
export const memoized = (compute: (text: string) => string, most: number): (text: string) => string => {
  const known = new Map<string, string>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const result = compute(text)
    if (known.size < most) known.set(text, result)
    return result
  }
}
