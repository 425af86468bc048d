import { BigDecimal } from "effect"
import { listMember } from "./bodyTree.ts"
import { type Fault, faultAt } from "./Fault.ts"

/** Members and elements the largest request can need: 1 000 items of some twenty each, and room. */
export const mostNodes = 30_000

/** Faults reported at once; a body with more is no request somebody wrote. */
export const mostFaults = 5_000

const isLeaf = (node: unknown): boolean => typeof node !== "object" || node === null || BigDecimal.isBigDecimal(node)

/** Whether a body has more members and elements than any request can need. Stops counting there; never recurses. */
const isOversized = (body: unknown): boolean => {
  const waiting: Array<unknown> = [body]
  let nodes = 0
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (isLeaf(node)) continue
    for (const child of Object.values(node as object)) {
      if (++nodes > mostNodes) return true
      if (!isLeaf(child)) waiting.push(child)
    }
  }
  return false
}

/**
 * The faults of a body too large to be looked at member by member: reporting on each would keep a host busy for seconds. Empty for
 * every body that is not.
 */
export const sizeFaults = (body: unknown): ReadonlyArray<Fault> => {
  if (!isOversized(body)) return []
  const items = listMember(body, "items").length > 1000 ? [faultAt(["items"], "must have at most 1000 items")] : []
  const payments = listMember(body, "payments").length > 50 ? [faultAt(["payments"], "must have at most 50 payments")] : []
  const lists = [...items, ...payments]
  return lists.length > 0 ? lists : [faultAt([], `must have at most ${mostNodes} members and elements in all`)]
}
