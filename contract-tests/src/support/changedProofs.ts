type Path = ReadonlyArray<string>

/** A file of JSON values, changed at one place. */
export interface ChangedFile {
  readonly path: Path
  readonly what: string
  readonly file: unknown
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

const placesIn = (value: unknown, path: Path = []): ReadonlyArray<readonly [Path, unknown]> => [
  ...(path.length === 0 ? [] : [[path, value] as const]),
  ...(isRecord(value) ? Object.entries(value).flatMap(([name, member]) => placesIn(member, [...path, name])) : [])
]

const otherTexts = (text: string): ReadonlyArray<string> => {
  const at = Math.floor(text.length / 2)
  return [`${text.slice(0, at)}${text[at] === "B" ? "C" : "B"}${text.slice(at + 1)}`, ""].filter((other) => other !== text)
}

const othersOf = (value: unknown): ReadonlyArray<unknown> => {
  if (typeof value === "string") return otherTexts(value)
  if (typeof value === "number") return [value + 1, -value - 0.01, String(value)]
  if (typeof value === "boolean") return [!value, null]
  if (value === null) return ["x", 5]
  return Array.isArray(value) && value.length > 0 ? [[], [...value, value.at(-1)]] : []
}

const changed = (file: unknown, path: Path, change: (parent: Record<string, unknown>, name: string) => void): unknown => {
  const copy = structuredClone(file)
  const parent = path.slice(0, -1).reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], copy)
  change(parent as Record<string, unknown>, path.at(-1) ?? "")
  return copy
}

const remove = (parent: Record<string, unknown>, name: string): void => {
  if (Array.isArray(parent)) parent.splice(Number(name), 1)
  else delete parent[name]
}

/** A file with each of its values changed, and each removed, one at a time. */
export const changedEverywhere = (file: unknown): ReadonlyArray<ChangedFile> =>
  placesIn(file).flatMap(([path, value]) => [
    { path, what: "removed", file: changed(file, path, remove) },
    ...othersOf(value).map((other) => ({ path, what: JSON.stringify(other).slice(0, 60), file: changed(file, path, (parent, name) => (parent[name] = other)) }))
  ])
