import { sum } from "./decimals.ts"
import type { Ledger, LedgerLine, LedgerPart } from "./Ledger.ts"
import { amountOf, takeFrom } from "./parts.ts"

export interface Taken {
  readonly line: LedgerLine
  readonly taken: ReadonlyArray<LedgerPart>
  readonly left: ReadonlyArray<LedgerPart>
}

/** The parts that an event names; words where they are not there. Nothing is changed yet. */
export const takings = (ledger: Ledger, wanted: ReadonlyArray<{ readonly line: string; readonly quantity: bigint | null }>): ReadonlyArray<Taken> | string => {
  const found: Array<Taken> = []
  for (const { line: id, quantity } of wanted) {
    const line = ledger.lines.find(({ line }) => line.id === id)
    if (line === undefined) return `The order has no position ${id}.`
    if (found.some((taken) => taken.line === line)) return `Position ${id} is named twice.`
    if (quantity === null || quantity <= 0n) return `The quantity of position ${id} must be above 0, with at most three decimals.`
    const taking = takeFrom(line.parts, quantity)
    if (taking === null) return `Position ${id} has no such quantity left.`
    found.push({ line, ...taking })
  }
  return found
}

export const everything = (ledger: Ledger) =>
  ledger.lines.map(({ line, parts }) => ({ line: line.id, quantity: sum(parts.map(({ quantity }) => quantity)) })).filter(({ quantity }) => quantity > 0n)

export const amountTaken = (takings: ReadonlyArray<Taken>): bigint => sum(takings.map(({ taken }) => amountOf(taken)))

/** The same positions, with units that together cost exactly this much, where one position has such units. */
export const costing = (takings: ReadonlyArray<Taken>, amount: bigint): ReadonlyArray<Taken> => {
  const lacking = amount - amountTaken(takings)
  for (const one of lacking === 0n ? [] : takings) {
    const quantity = sum(one.taken.map((part) => part.quantity))
    const other = takeFrom(one.line.parts, quantity, amountOf(one.taken) + lacking)
    if (other !== null && amountOf(other.taken) === amountOf(one.taken) + lacking) return takings.map((taking) => taking === one ? { line: one.line, ...other } : taking)
  }
  return takings
}

/** Does `act` with the parts away from their positions; puts them back where it answers words. */
export const without = (takings: ReadonlyArray<Taken>, act: () => string | null): string | null => {
  const before = takings.map(({ line }) => line.parts)
  for (const { left, line } of takings) line.parts = left
  const words = act()
  if (words !== null) takings.forEach(({ line }, at) => { line.parts = before[at] ?? [] })
  return words
}
