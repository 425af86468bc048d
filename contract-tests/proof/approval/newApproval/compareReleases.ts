import type { Evidence } from "./evidence.ts"

/** A difference between a release and the approved one. */
export interface Difference {
  /** `COUNTS`: TU §7.9 asks for an approval of it. `READ`: a person decides whether it is a change of functions. */
  readonly weight: "COUNTS" | "READ"
  readonly kind: "request" | "journal" | "paper" | "layout" | "answer" | "sample" | "operation"
  readonly what: string
}

/** What a golden file shows: papers and their QR code are looks, the text is the journal, the JSON is no receipt. */
const kindOf = (file: string): "journal" | "paper" | "answer" =>
  file.endsWith("/official-text.txt") ? "journal" : file.endsWith("/canonical-json.json") ? "answer" : "paper"

const goldenDifferences = (approved: Evidence, release: Evidence): ReadonlyArray<Difference> =>
  [...approved.goldens].flatMap(([file, digest]): ReadonlyArray<Difference> => {
    const now = release.goldens.get(file)
    if (now === digest) return []
    const kind = kindOf(file)
    return [{ weight: kind === "answer" ? "READ" : "COUNTS", kind, what: now === undefined ? `${file} is gone` : `${file} differs` }]
  })

const newSamples = (approved: Evidence, release: Evidence): ReadonlyArray<Difference> =>
  [...release.goldens.keys()].filter((file) => !approved.goldens.has(file)).map((file) => ({ weight: "READ", kind: "sample", what: `${file} is new` }))

const requestDifferences = (approved: Evidence, release: Evidence): ReadonlyArray<Difference> => {
  if (approved.requests === null || release.requests === null) return [{ weight: "READ", kind: "request", what: "requests could not be composed at one of the commits" }]
  const now = release.requests
  return [...approved.requests].flatMap(([sample, request]): ReadonlyArray<Difference> =>
    now.get(sample) === request ? [] : [{ weight: "COUNTS", kind: "request", what: now.has(sample) ? `the request of ${sample} differs` : `the sample ${sample} is gone` }])
}

const operationDifferences = (approved: Evidence, release: Evidence): ReadonlyArray<Difference> => [
  ...[...approved.operations].filter((it) => !release.operations.has(it)).map((it): Difference => ({ weight: "COUNTS", kind: "operation", what: `${it} is gone` })),
  ...[...release.operations].filter((it) => !approved.operations.has(it)).map((it): Difference => ({ weight: "READ", kind: "operation", what: `${it} is new` }))
]

/** Everything in which a release differs from the approved one, what counts first. */
export const compareReleases = (approved: Evidence, release: Evidence): ReadonlyArray<Difference> => {
  const layout: ReadonlyArray<Difference> = approved.layoutVersion === release.layoutVersion
    ? []
    : [{ weight: "COUNTS", kind: "layout", what: `layoutVersion is ${release.layoutVersion} instead of ${approved.layoutVersion}` }]
  const all = [...requestDifferences(approved, release), ...layout, ...goldenDifferences(approved, release), ...operationDifferences(approved, release), ...newSamples(approved, release)]
  return [...all.filter(({ weight }) => weight === "COUNTS"), ...all.filter(({ weight }) => weight === "READ")]
}

/** Whether the release needs a new approval. */
export const needsApproval = (differences: ReadonlyArray<Difference>): boolean => differences.some(({ weight }) => weight === "COUNTS")
