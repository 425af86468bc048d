import { spawnSync } from "node:child_process"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { publishedPackages } from "../publishing.ts"

const packages = publishedPackages()

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
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string }
    expect(packages.length).toBeGreaterThan(12)
    for (const { manifest } of packages) {
      expect([manifest.name, manifest.version, manifest.license]).toEqual([manifest.name, version, "EUPL-1.2"])
      const ours = Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies }).filter(([name]) => name.startsWith("@overa/"))
      expect([manifest.name, ours.filter(([, needed]) => needed !== version)]).toEqual([manifest.name, []])
    }
  })

  it.each(packages)("$manifest.name: npm publish --dry-run is green, with the licence and without maps", ({ workspace }) => {
    const { status, stderr, stdout } = spawnSync("npm", ["publish", "--provenance", "--access", "public", "--dry-run", "--offline", "--json"], { cwd: workspace, encoding: "utf8" })
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
