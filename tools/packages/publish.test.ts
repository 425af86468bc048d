import { spawnSync } from "node:child_process"
import { rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { filesOf } from "../sourceTree.ts"

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly version: string
  readonly license?: string
  readonly files?: ReadonlyArray<string>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const packages = filesOf("*/package.json", "{adapters,contract-tests,hosts}/*/package.json")
  .map(({ path, text }) => ({ workspace: dirname(path), manifest: JSON.parse(text) as Manifest }))
  .filter(({ manifest }) => manifest.private !== true && manifest.files !== undefined)

/** Ours that a package needs come before it: its types are compiled against theirs. */
const needs = ({ dependencies, peerDependencies }: Manifest): number =>
  Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => name.startsWith("@overa/")).length
const inOrder = packages.toSorted((one, other) => needs(one.manifest) - needs(other.manifest))

interface Published {
  readonly files: ReadonlyArray<{ readonly path: string }>
}

describe("publishing, tried without a registry", () => {
  afterAll(() => {
    for (const { workspace } of packages) {
      rmSync(join(workspace, "dist"), { recursive: true, force: true })
      rmSync(join(workspace, "LICENCE"), { force: true })
    }
  })

  it("all packages have one version and one licence, and need each other in exactly this version", () => {
    const { version } = JSON.parse(filesOf("package.json")[0]?.text ?? "{}") as Manifest
    expect(packages.length).toBeGreaterThan(12)
    for (const { manifest } of packages) {
      expect([manifest.name, manifest.version, manifest.license]).toEqual([manifest.name, version, "EUPL-1.2"])
      const ours = Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies }).filter(([name]) => name.startsWith("@overa/"))
      expect([manifest.name, ours.filter(([, needed]) => needed !== version)]).toEqual([manifest.name, []])
    }
  })

  it.each(inOrder)("$manifest.name: npm publish --dry-run is green, with the licence and without maps", ({ workspace }) => {
    const { status, stderr, stdout } = spawnSync("npm", ["publish", "--dry-run", "--offline", "--json"], { cwd: workspace, encoding: "utf8" })
    expect(status, stderr).toBe(0)
    // A build may print its own lines before npm's answer.
    const answer = JSON.parse(stdout.slice(stdout.search(/^\{/m))) as Published | Readonly<Record<string, Published>>
    const [published] = "files" in answer ? [answer as Published] : Object.values(answer)
    const files = published?.files.map(({ path }) => path) ?? []
    expect(files).toEqual(expect.arrayContaining(["LICENCE", "package.json"]))
    expect(files.some((path) => path.startsWith("dist/"))).toBe(true)
    expect(files.filter((path) => path.endsWith(".map"))).toEqual([])
  })
})
