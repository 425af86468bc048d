/**
 * What the domain's tests import as `vitest` and `@effect/vitest` while inProcessRunner.ts runs them: tests are registered and run by the runner, again and
 * again in one process. Assertions are vitest's own.
 */
export { assert, expect } from "vitest"

/** One test of the domain, ready to be run. */
export interface RegisteredTest {
  /** File, groups and name; two tests with the same name differ by a number. */
  readonly id: string
  readonly file: string
  readonly run: () => unknown
}

type Body = (...args: ReadonlyArray<never>) => unknown

export const registered = new Map<string, RegisteredTest>()
let file = ""
let groups: ReadonlyArray<string> = []
let waiting: Array<() => void> = []

/** Loads a file of tests and registers its tests. As in vitest, groups are read after the whole file is loaded. */
export const loadFile = async (path: string, load: () => Promise<unknown>): Promise<void> => {
  file = path
  await load()
  const bodies = waiting
  waiting = []
  for (const body of bodies) body()
}

const register = (name: string, run: () => unknown): void => {
  const wanted = `${file}#${[...groups, name].join(" > ")}`
  let id = wanted
  for (let copy = 2; registered.has(id); copy += 1) id = `${wanted} (${copy})`
  registered.set(id, { id, file, run })
}

const lookInto = (name: string, body: () => void): void => {
  const around = groups
  groups = [...around, name]
  body()
  groups = around
}

export const describe = (name: string, body: () => void): void => {
  if (groups.length > 0) lookInto(name, body)
  else waiting.push(() => lookInto(name, body))
}

export const it = Object.assign((name: string, body: Body): void => register(name, () => body()), {
  each: (rows: ReadonlyArray<unknown>) => (name: string, body: (...row: ReadonlyArray<unknown>) => unknown): void =>
    rows.forEach((row, at) => register(`${name} [row ${at + 1}]`, () => Array.isArray(row) ? body(...row) : body(row)))
})

export const test = it

/** Reports of whole files have no place in a run of single tests. */
export const afterAll = (): void => undefined
