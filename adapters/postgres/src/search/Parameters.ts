/** Parameters of one statement, numbered in the order in which they are added. */
export class Parameters {
  readonly values: Array<unknown> = []

  readonly add = (value: unknown, type: string): string => {
    this.values.push(value)
    return `$${this.values.length}::${type}`
  }
}
