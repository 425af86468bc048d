import { Result, type Schema } from "effect"
import { mostFaults, sizeFaults } from "./bodySize.ts"
import { shapeDecoder } from "./decodeShape.ts"
import { type Fault, RequestFaults } from "./Fault.ts"

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
