/** What one row of the contract was found to be. */
export interface Finding {
  /** The row, as it is written there. */
  readonly row: string
  /** Where the service differs from it; nothing where it agrees. */
  readonly deviations: ReadonlyArray<string>
}

const inWords = (value: unknown): string => JSON.stringify(value)

/** One comparison. */
export const same = (what: string, found: unknown, wanted: unknown): ReadonlyArray<string> =>
  inWords(found) === inWords(wanted) ? [] : [`${what} is ${inWords(found)}, not ${inWords(wanted)}`]

export const finding = (row: string, ...deviations: ReadonlyArray<ReadonlyArray<string>>): Finding => ({ row, deviations: deviations.flat() })
