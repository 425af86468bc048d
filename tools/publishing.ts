import { dirname } from "node:path"
import { filesOf } from "./sourceTree.ts"

export interface PublishedManifest {
  readonly name: string
  readonly private?: boolean
  readonly version: string
  readonly license?: string
  readonly files?: ReadonlyArray<string>
  readonly repository?: { readonly url: string; readonly directory: string }
  readonly publishConfig?: { readonly access?: string; readonly provenance?: boolean }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export interface PublishedPackage {
  readonly workspace: string
  readonly manifest: PublishedManifest
}

/** Ours that a package needs come before it: its types are compiled against theirs, and the registry has them when it comes. */
const needs = ({ dependencies, peerDependencies }: PublishedManifest): number =>
  Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => name.startsWith("@overa/")).length

/** The packages that are published, in the order in which they are. */
export const publishedPackages = (): ReadonlyArray<PublishedPackage> =>
  filesOf("*/package.json", "{adapters,contract-tests,hosts}/*/package.json")
    .map(({ path, text }) => ({ workspace: dirname(path), manifest: JSON.parse(text) as PublishedManifest }))
    .filter(({ manifest }) => manifest.private !== true && manifest.files !== undefined)
    .toSorted((one, other) => needs(one.manifest) - needs(other.manifest))

/** Why nothing may be published now, in one sentence; null where it may. */
export const reasonAgainst = (
  packages: ReadonlyArray<PublishedPackage>,
  { changelog, environment, isClean, tags }: { readonly changelog: string; readonly environment: Readonly<Record<string, string | undefined>>; readonly isClean: boolean; readonly tags: ReadonlyArray<string> }
): string | null => {
  const [{ version } = { version: "" }] = packages.map(({ manifest }) => manifest)
  if (!isClean) return "The work tree has changes that no commit has."
  if (!tags.includes(`v${version}`)) return `This commit has no tag v${version}.`
  if (!changelog.split("\n").some((line) => line.startsWith(`## ${version}, 2`))) return `CHANGELOG.md does not say when ${version} was released: npm run version:set writes it.`
  const without = packages.filter(({ manifest }) => manifest.repository === undefined).map(({ manifest }) => manifest.name)
  if (without.length > 0) return `${without.join(", ")}: no repository, which a proof of provenance names. npm run version:set -- ${version} --repository <url> writes it.`
  // npm takes the proof's identity from the service that runs the job: GitHub Actions with `id-token: write`, or GitLab with SIGSTORE_ID_TOKEN.
  const hasIdentity = environment["ACTIONS_ID_TOKEN_REQUEST_URL"] !== undefined || environment["SIGSTORE_ID_TOKEN"] !== undefined
  return hasIdentity ? null : "Provenance needs a job of continuous integration with an identity token: ACTIONS_ID_TOKEN_REQUEST_URL or SIGSTORE_ID_TOKEN is not set."
}
