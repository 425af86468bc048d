/** A mutant that no test notices, and why none can: the changed program does the same. */
export interface Survivor {
  readonly file: string
  /** The line as it stands in the file, without the blanks around it. */
  readonly code: string
  /** `<mutator>: <what Stryker writes in its place>`, white space as single blanks. */
  readonly mutant: string
  readonly reason: string
}

export const survivors: ReadonlyArray<Survivor> = []
