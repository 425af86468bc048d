import { Result, Schema } from "effect"
import { mostFaults } from "./bodySize.ts"
import { isObject, listMember } from "./bodyTree.ts"
import { type Fault, faultAt } from "./Fault.ts"
import { countFault, itemBounds } from "./listField.ts"
import { elementFaults, shapeFaults } from "./shapeFaults.ts"

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
