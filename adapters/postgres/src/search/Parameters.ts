/** Parameters of one statement, named by number in the order in which they are asked for. */
export class Parameters {
  readonly values: Array<unknown> = []

  readonly add = (value: unknown, type: string): string => {
    this.values.push(value)
    return `$${this.values.length}::${type}`
  }
}
