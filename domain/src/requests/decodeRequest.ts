import { BigDecimal, Result, Schema } from "effect"
import { elementFaults, type Fault, faultAt, mostFaults, RequestFaults, shapeFaults } from "./Fault.ts"
import { isObject, listMember } from "./bodyTree.ts"
import { countFault, itemBounds, type ListBounds, paymentBounds } from "./fields.ts"

/** Members and elements the largest request can need: 1 000 items of some twenty each, and a margin. */
export const mostNodes = 24_000
/** Elements of one list, or members of one object, that are still checked one by one: twice what any field allows. */
export const mostInOne = 2_000

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

/** The one list of a request that may be long (Spec, Limits: 1 000 items). */
const longList = "items"
/** Elements checked at once. */
const slice = 100

const options = { errors: "all", onExcessProperty: "error" } as const

/** The schema of the long list, where the shape has one. */
const listSchemaOf = (shape: object): Schema.ConstraintDecoder<unknown> | undefined => {
  const fields = "fields" in shape ? shape.fields : undefined
  return isObject(fields) ? fields[longList] as Schema.ConstraintDecoder<unknown> | undefined : undefined
}

/**
 * Makes a decoder of a shape that answers all its faults. A long list is checked slice by slice, and the check stops once there are as many faults as
 * are reported: a thousand broken items would otherwise keep a host busy much longer.
 */
export const shapeDecoder = <S extends Schema.ConstraintDecoder<unknown>>(
  shape: S
): (body: unknown) => Result.Result<S["Type"], ReadonlyArray<Fault>> => {
  const decode = Schema.decodeUnknownResult(shape, options)
  const whole = (body: unknown) => Result.mapError(decode(body), ({ issue }) => shapeFaults(issue, body))
  const listSchema = listSchemaOf(shape)
  if (listSchema === undefined) return whole
  const decodeList = Schema.decodeUnknownResult(listSchema, options)

  return (body) => {
    const elements = listMember(body, longList)
    if (!isObject(body) || elements.length <= slice) return whole(body)
    const first = decode({ ...body, [longList]: elements.slice(0, slice) })
    const faults: Array<Fault> = Result.isFailure(first) ? [...shapeFaults(first.failure.issue, body)] : []
    const tooMany = countFault(elements.length, itemBounds)
    if (tooMany !== undefined) faults.push(faultAt([longList], tooMany))
    const read: Array<unknown> = []
    for (let from = slice; from < elements.length && faults.length < mostFaults; from += slice) {
      const decoded = decodeList(elements.slice(from, from + slice))
      if (Result.isFailure(decoded)) faults.push(...elementFaults(decoded.failure.issue, longList, from, body))
      else for (const element of decoded.success as ReadonlyArray<unknown>) read.push(element)
    }
    if (Result.isFailure(first) || faults.length > 0) return Result.fail(faults)
    const begun = first.success as Readonly<Record<string, unknown>>
    return Result.succeed({ ...begun, [longList]: [...begun[longList] as ReadonlyArray<unknown>, ...read] })
  }
}

/**
 * A rule over the body as a whole. It reads its inputs from the raw tree and reports nothing where one of them is missing, so that, for example,
 * wrong totals are reported although the cashier is wrong too (Decisions §1: all faults at once).
 */
export type BodyRule = (body: unknown) => ReadonlyArray<Fault>

/**
 * Makes a decoder: the shape by its schema, unknown fields refused, then every rule, and all faults together.
 *
 * The body is a JSON tree whose numbers are BigDecimal, exactly as written, or `UnrepresentableNumber`.
 */
export const requestDecoder = <S extends Schema.ConstraintDecoder<unknown>>(shape: S) => {
  const decode = shapeDecoder(shape)
  return (body: unknown, rules: ReadonlyArray<BodyRule> = []): Result.Result<S["Type"], RequestFaults> => {
    const oversized = sizeFaults(body)
    if (oversized.length > 0) return Result.fail(new RequestFaults({ faults: oversized }))
    const decoded = decode(body)
    const faults = [
      ...(Result.isFailure(decoded) ? decoded.failure : []),
      ...rules.flatMap((rule) => rule(body))
    ]
    if (Result.isSuccess(decoded) && faults.length === 0) return Result.succeed(decoded.success)
    return Result.fail(new RequestFaults({ faults: withoutRepeats(faults) }))
  }
}

const withoutRepeats = (faults: ReadonlyArray<Fault>): ReadonlyArray<Fault> => {
  const seen = new Map(faults.map((fault) => [`${fault.pointer}\n${fault.message}`, fault]))
  return [...seen.values()].slice(0, mostFaults)
}
