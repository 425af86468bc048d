import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { publishedPackages, reasonAgainst } from "./publishing.ts"

// `.ci/publish` runs this for a tag: every package with a proof of its provenance, those that others need first. `--dry-run` does all but send.
const isDry = process.argv.includes("--dry-run")
const git = (...args: ReadonlyArray<string>): string => execFileSync("git", [...args], { encoding: "utf8" }).trim()
const packages = publishedPackages()
const reason = isDry ? null : reasonAgainst(packages, {
  changelog: readFileSync("CHANGELOG.md", "utf8"), environment: process.env, isClean: git("status", "--porcelain") === "", tags: git("tag", "--points-at", "HEAD").split("\n")
})

const alreadyThere = (name: string, version: string): boolean => {
  try {
    return execFileSync("npm", ["view", `${name}@${version}`, "version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim() === version
  } catch {
    return false
  }
}

if (reason === null) {
  for (const { manifest: { name, version }, workspace } of packages) {
    // A job that was stopped between two packages goes on where it stopped.
    if (!isDry && alreadyThere(name, version)) continue
    execFileSync("npm", ["publish", "--provenance", "--access", "public", ...(isDry ? ["--dry-run", "--offline"] : [])], { cwd: workspace, stdio: "inherit" })
  }
} else {
  process.stderr.write(`${reason}\n`)
  process.exitCode = 1
}
