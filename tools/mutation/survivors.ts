/** A mutant that no test notices, and the reason why none can: the changed program does the same. */
export interface Survivor {
  readonly file: string
  /** The line as it stands in the file, without the blanks around it. */
  readonly code: string
  /** `<mutator>: <Stryker's replacement>`, with white space as single blanks. */
  readonly mutant: string
  readonly reason: string
}

export const survivors: ReadonlyArray<Survivor> = []
