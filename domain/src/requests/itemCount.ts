/** Items of one document, at most (Spec, Limits). */
export const mostItems = 1_000

/** What is wrong with the number of items, or undefined. */
export const itemCountFault = (count: number): string | undefined => {
  if (count === 0) return "must have at least one item"
  return count > mostItems ? `must have at most ${mostItems} items` : undefined
}
