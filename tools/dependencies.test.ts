import { existsSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { filesOf } from "./sourceTree.ts"

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
}

const rows = readFileSync("docs/dependencies.md", "utf8").split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| ---"))
  .slice(1).map((line) => line.split("|").map((cell) => cell.trim()).slice(1, -1))

const used = new Map(filesOf("{domain,client}/package.json", "{adapters,hosts}/*/package.json").flatMap(({ text }) =>
  Object.entries((JSON.parse(text) as Manifest).dependencies ?? {}).filter(([name]) => !/^@(overa|types)\//.test(name))))

const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  readonly packages: Readonly<Record<string, { readonly resolved?: string; readonly integrity?: string; readonly link?: boolean; readonly inBundle?: boolean; readonly dev?: boolean }>>
}

describe("what runs beside our own code", () => {
  it("stands on its page, in the version that is used, with every column filled", () => {
    expect(rows.map(([name, version]) => `${name} ${version}`)).toEqual([...used].map(([name, version]) => `${name} ${version}`).toSorted())
    expect(rows.filter((cells) => cells.some((cell) => cell === "" || cell === "?"))).toEqual([])
  })

  // Packages for other platforms, which the registry in use does not carry, have no hash; no image contains them.
  it("has a hash in the lockfile, all of it", () => {
    const without = Object.entries(lock.packages).filter(([path, { dev, integrity, link, inBundle }]) =>
      path.includes("node_modules/") && dev !== true && link !== true && inBundle !== true && integrity === undefined)
    expect(without.map(([path]) => path)).toEqual([])
  })

  it("is listed for whoever runs an image", () => {
    expect(readFileSync("Dockerfile", "utf8")).toContain("sbom.cdx.json")
    expect(existsSync("SECURITY.md")).toBe(true)
  })
})
