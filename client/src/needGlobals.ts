/** The runtime lacks something that the client cannot do without. Nothing was sent. */
export class RuntimeIncomplete extends Error {
  override readonly name = "RuntimeIncomplete"
  /** The names that are missing, as `AbortSignal.any`. */
  readonly missing: ReadonlyArray<string>

  constructor(missing: ReadonlyArray<string>) {
    super(`@overa/client needs ${missing.join(", ")}, which this runtime does not have. Use Node 20.19 or later, or a runtime that has what the README names.`)
    this.missing = missing
  }
}

const isThere = (path: string): boolean =>
  path.split(".").reduce<unknown>((owner, name) => (owner as Readonly<Record<string, unknown>> | null | undefined)?.[name], globalThis) !== undefined

/** Fails with one sentence where the runtime lacks one of the globals. */
export const needGlobals = (paths: ReadonlyArray<string>): void => {
  const missing = paths.filter((path) => !isThere(path))
  if (missing.length > 0) throw new RuntimeIncomplete(missing)
}
