import { digits } from "./Deployment.ts"

/** Values at the edge of what the contract's words allow: just inside, and just outside. */
export interface Probes {
  readonly inside: ReadonlyArray<unknown>
  readonly outside: ReadonlyArray<unknown>
}

/** A letter of two bytes: bounds are in characters. */
const letters = (count: number): string => "ж".repeat(count)
const ones = (count: number): string => "1".repeat(count)

/** One step below, with the step's decimals. */
const before = (least: string, step: string): string => {
  const places = step.split(".")[1]?.length ?? 0
  const scaled = (text: string): number => Math.round(Number(text) * 10 ** places)
  return ((scaled(least) - scaled(step)) / 10 ** places).toFixed(places)
}

type Rule = readonly [words: RegExp, probes: (found: RegExpExecArray) => Probes]

const number = (found: RegExpExecArray, at: number): number => Number((found[at] ?? "").replaceAll(",", ""))

/** The contract's words for bounds. The first that fits a text holds. */
const bounds: ReadonlyArray<Rule> = [
  [/(\d+) to (\d+) digits/, (found) => ({ inside: [ones(number(found, 1)), ones(number(found, 2))], outside: [ones(number(found, 1) - 1), ones(number(found, 2) + 1), letters(number(found, 1))] })],
  [/([\d.]+) to ([\d.]+) in steps of ([\d.]+)/, ([, least = "", most = "", step = ""]) => ({
    inside: [digits(least), digits(most), digits(step)],
    outside: [digits("0"), digits(before(least, step)), digits(`-${least}`), digits(`${least}5`), digits(most.replace(/^\d/, "9$&"))]
  })],
  [/^(\d+) to (\d+)(?: characters|$)/, (found) => ({ inside: [letters(number(found, 1)), letters(number(found, 2))], outside: ["", letters(number(found, 2) + 1)] })],
  [/at most ([\d,]+)(?: characters|$)/, (found) => ({ inside: ["", letters(number(found, 1))], outside: [letters(number(found, 1) + 1)] })],
  [/at least 1, no label twice/, () => ({ inside: [], outside: [[]] })],
  [/at least one/, () => ({ inside: [], outside: [[]] })],
  [/not negative, step 0\.01|not negative, (?:at most )?two decimals|final gross price/, () => ({ inside: [digits("0"), digits("0.01"), digits("12.5")], outside: [digits("-0.01"), digits("0.001"), digits("1.005")] })]
]

export const boundsOf = (text: string): Probes | null => {
  for (const [words, probes] of bounds) {
    const found = words.exec(text)
    if (found !== null) return probes(found)
  }
  return null
}

/** Values that are not of the type which a row names. */
const others: ReadonlyArray<readonly [type: RegExp, values: ReadonlyArray<unknown>]> = [
  [/^uuid|, uuid$/, ["no uuid", 1]],
  [/^timestamp/, ["yesterday", "2026-08-29", 1]],
  [/^array/, ["A", {}]],
  [/^number/, ["1", true, []]],
  [/^boolean/, ["true", 1]],
  [/^PaymentType/, ["GOLD", 1]],
  [/^string/, [1, true, ["x"], { a: "x" }]]
]

export const notOfType = (type: string): ReadonlyArray<unknown> => others.find(([words]) => words.test(type))?.[1] ?? []
