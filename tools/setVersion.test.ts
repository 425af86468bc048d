import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { isLater, setVersion, VersionRefused, versionedFiles } from "./setVersion.ts"
import { publishedPackages, reasonAgainst } from "./publishing.ts"

interface Manifest extends Readonly<Partial<Record<"dependencies" | "devDependencies" | "peerDependencies", Readonly<Record<string, string>>>>> {
  readonly version?: string
  readonly private?: boolean
  readonly repository?: unknown
}

const { version: now = "" } = JSON.parse(readFileSync("package.json", "utf8")) as Manifest
/** Those that have the version in them; in the others there is nothing to write. */
const files = versionedFiles().filter((file) => file === "CHANGELOG.md" || readFileSync(file, "utf8").includes(now))
const release = { version: "7.8.9", date: "2031-02-03" }

let folder = ""
const read = (file: string): string => readFileSync(join(folder, file), "utf8")
const manifestOf = (file: string): Manifest => JSON.parse(read(file)) as Manifest
const oursIn = (manifest: Manifest): ReadonlyArray<string> =>
  [manifest.dependencies, manifest.devDependencies, manifest.peerDependencies].flatMap((ranges) => Object.entries(ranges ?? {})).filter(([name]) => name.startsWith("@overa/")).map(([, range]) => range)

describe("a version", () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "overa-version-"))
    for (const file of files) cpSync(file, join(folder, file))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it("stands in every manifest, and in what our packages need of each other; nothing else of a manifest changes", () => {
    setVersion(folder, files, release)
    const manifests = files.filter((file) => /(?:^|\/)package\.json$/.test(file))
    expect(manifests.length).toBeGreaterThan(25)
    for (const file of manifests) {
      const manifest = manifestOf(file)
      expect([file, manifest.version ?? release.version, new Set([...oursIn(manifest), release.version]).size]).toEqual([file, release.version, 1])
      expect(read(file).replaceAll(release.version, now)).toBe(readFileSync(file, "utf8"))
    }
  })

  it("is one that npm's lockfile agrees with", () => {
    setVersion(folder, files, release)
    const { status, stderr } = spawnSync("npm", ["ci", "--dry-run", "--offline", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, encoding: "utf8" })
    expect(status, stderr).toBe(0)
  }, 120_000)

  it("is what the service and the chart say, and the name of every archive that a page or a test names", () => {
    setVersion(folder, files, release)
    expect(read("hosts/rest-api/src/SoftwareRelease.ts")).toContain(`softwareVersion: "${release.version}"`)
    expect(read("deploy/helm/overa/Chart.yaml")).toMatch(/^version: 7\.8\.9\nappVersion: 7\.8\.9$/m)
    const left = files.flatMap((file) => read(file).split("\n").filter((line) => line.includes("overa-") && (line.includes(`-${now}.t`) || line.includes(`overa-${now}`))))
    expect(left).toEqual([])
    expect(read("domain/README.md")).toContain("npm install ./overa-domain-7.8.9.tgz effect")
  })

  it("has its day in the changelog, above what was released before", () => {
    setVersion(folder, files, release)
    const [first] = read("CHANGELOG.md").match(/^## .*$/gm) ?? []
    expect(first).toBe("## 7.8.9, 2031-02-03")
    expect(read("CHANGELOG.md")).not.toContain("not yet released")
  })

  it("names the repository of what is published, where it is told", () => {
    setVersion(folder, files, { ...release, repository: "git+https://example.org/overa.git" })
    for (const { workspace } of publishedPackages()) {
      expect(manifestOf(`${workspace}/package.json`).repository).toEqual({ type: "git", url: "git+https://example.org/overa.git", directory: workspace })
    }
    expect(manifestOf("hosts/admin/package.json").repository).toBeUndefined()
  })

  it.each(["1.2", "v7.8.9", "7.8.9+1", "0.0.9", "", `${now}-beta.1`])("%j is refused, and nothing is written", (version) => {
    expect(() => setVersion(folder, files, { ...release, version })).toThrow(VersionRefused)
    for (const file of files) expect(read(file) === readFileSync(file, "utf8"), file).toBe(true)
  })

  it("is refused where the changelog has nothing to release", () => {
    writeFileSync(join(folder, "CHANGELOG.md"), `# Changelog\n\n## ${now}, 2026-01-01\n\n- First.\n`)
    expect(() => setVersion(folder, files, release)).toThrow('no section "not yet released"')
    expect(() => setVersion(folder, files, { ...release, version: now })).toThrow(`${now} does not come after ${now}`)
    writeFileSync(join(folder, "CHANGELOG.md"), `# Changelog\n\n## Next, not yet released\n\n## ${now}, 2026-01-01\n\n- First.\n`)
    expect(() => setVersion(folder, files, release)).toThrow('no section "not yet released"')
  })
})

describe("the order of versions", () => {
  it.each([
    ["0.2.0", "0.1.9"], ["0.10.0", "0.9.0"], ["10.0.0", "9.9.9"], ["1.0.10", "1.0.9"], ["1.0.0", "1.0.0-beta.1"], ["1.0.0-beta.10", "1.0.0-beta.9"], ["1.0.1-beta.1", "1.0.0"]
  ])("%s comes after %s", (later, earlier) => expect([isLater(later, earlier), isLater(earlier, later), isLater(later, later)]).toEqual([true, false, false]))
})

describe("publishing", () => {
  const packages = publishedPackages().map(({ manifest, workspace }) => ({ workspace, manifest: { ...manifest, version: "1.2.3", repository: { url: "git+https://example.org/overa.git", directory: workspace } } }))
  const ready = { changelog: "## 1.2.3, 2026-11-25\n", environment: { SIGSTORE_ID_TOKEN: "x" }, isClean: true, tags: ["v1.2.3"] }

  it("goes ahead for a tagged, released, clean commit in a job with an identity", () => expect(reasonAgainst(packages, ready)).toBeNull())

  it.each([
    ["a changed work tree", { ...ready, isClean: false }, "no commit has"],
    ["no tag", { ...ready, tags: ["v1.2.2", ""] }, "no tag v1.2.3"],
    ["a version that was not released", { ...ready, changelog: "## 1.2.3, not yet released\n" }, "does not say when"],
    ["no identity", { ...ready, environment: {} }, "identity token"]
  ])("is refused for %s", (_why, state, sentence) => expect(reasonAgainst(packages, state)).toContain(sentence))

  it("is refused for a package without its repository", () => {
    const [first, ...rest] = packages
    const { repository: _gone, ...manifest } = first?.manifest ?? { name: "", version: "" }
    expect(reasonAgainst([{ workspace: "domain", manifest }, ...rest], ready)).toContain("no repository")
  })

  it("sends a package after those of ours that it needs", () => {
    const at = new Map(publishedPackages().map(({ manifest }, index) => [manifest.name, index]))
    for (const { manifest } of publishedPackages()) {
      for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) expect([manifest.name, (at.get(name) ?? -1) < (at.get(manifest.name) ?? 0)]).toEqual([manifest.name, true])
    }
  })

  it("asks npm for provenance in every manifest, so that no package is published without it by hand", () => {
    for (const { manifest } of publishedPackages()) expect([manifest.name, manifest.publishConfig]).toEqual([manifest.name, { access: "public", provenance: true }])
  })
})
