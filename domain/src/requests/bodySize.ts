import { BigDecimal } from "effect"
import { listMember } from "./bodyTree.ts"
import { type Fault, faultAt } from "./Fault.ts"
import { countFault, itemBounds, type ListBounds, paymentBounds } from "./listField.ts"

/** Members and elements the largest request can need: 1 000 items of some twenty each, and a margin. */
export const mostNodes = 24_000
/** Elements of one list, or members of one object, that are still checked one by one: twice what any field allows. */
export const mostInOne = 2_000

/** Faults reported at once; a working client never sends a body with more. */
export const mostFaults = 1_000

/** The fault of a body with more members and elements than any request can need. */
export const tooManyNodes: Fault = faultAt(
  [],
  `must have at most ${mostNodes} members and elements in all, and at most ${mostInOne} in one object or list`
)

const isLeaf = (node: unknown): boolean => typeof node !== "object" || node === null || BigDecimal.isBigDecimal(node)

const childrenOf = (node: object): ReadonlyArray<unknown> => (Array.isArray(node) ? node : Object.values(node))

/** Whether a body has more nodes than any request can need. Stops counting there; never recurses. */
const isOversized = (body: unknown): boolean => {
  const waiting: Array<unknown> = [body]
  let nodes = 0
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (isLeaf(node)) continue
    const children = childrenOf(node as object)
    nodes += children.length
    if (nodes > mostNodes || children.length > mostInOne) return true
    for (const child of children) if (!isLeaf(child)) waiting.push(child)
  }
  return false
}

const tooLong = (body: unknown, name: string, bounds: ListBounds): ReadonlyArray<Fault> => {
  const fault = countFault(Math.max(1, listMember(body, name).length), bounds)
  return fault === undefined ? [] : [faultAt([name], fault)]
}

/** The faults of a body too large to be checked member by member: reporting on each would keep a host busy for seconds. Empty for every other body. */
export const sizeFaults = (body: unknown): ReadonlyArray<Fault> => {
  if (!isOversized(body)) return []
  const lists = [...tooLong(body, "items", itemBounds), ...tooLong(body, "payments", paymentBounds)]
  return lists.length > 0 ? lists : [tooManyNodes]
}
