/** Seconds per named step, in the order they ran. */
export interface Share {
  readonly name: string
  readonly seconds: number
}

/** A table of steps with their share of the total, longest first. */
export const sharesTable = (title: string, shares: ReadonlyArray<Share>): string => {
  const whole = shares.reduce((sum, { seconds }) => sum + seconds, 0)
  const width = Math.max(...shares.map(({ name }) => name.length), title.length)
  const row = ({ name, seconds }: Share): string => {
    const percent = whole === 0 ? 0 : (100 * seconds) / whole
    return `  ${name.padEnd(width)}  ${seconds.toFixed(1).padStart(7)} s  ${percent.toFixed(0).padStart(3)} %`
  }
  return [title, ...shares.map(row), row({ name: "together", seconds: whole })].join("\n")
}
