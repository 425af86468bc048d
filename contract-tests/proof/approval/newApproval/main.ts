/**
 * Whether a release needs a new approval (TU §7.9): its requests, journals, papers and operations against those of the approved commit.
 *
 *   npm run approval:release                                  this commit against the one of docs/approval/release.json
 *   npm run approval:release -- --approved v0.1.0 --release HEAD
 *   npm run approval:release -- --parents 1a2b3c4,5d6e7f8     each of these commits against its parent, as a table
 *
 * Exits with 1 where a difference counts.
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { compareReleases, type Difference, needsApproval } from "./compareReleases.ts"
import { type Evidence, evidenceOf } from "./evidence.ts"

const { values } = parseArgs({ options: { approved: { type: "string" }, release: { type: "string", default: "HEAD" }, parents: { type: "string" } } })
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const known = new Map<string, Evidence>()
const evidence = (revision: string): Evidence => {
  const commit = execFileSync("git", ["rev-parse", `${revision}^{commit}`], { encoding: "utf8" }).trim()
  const found = known.get(commit) ?? evidenceOf(commit)
  known.set(commit, found)
  return found
}

const counted = (differences: ReadonlyArray<Difference>, weight: Difference["weight"]): string => {
  const kinds = differences.filter((it) => it.weight === weight).map(({ kind }) => kind)
  return [...new Set(kinds)].map((kind) => `${kind} ${kinds.filter((it) => it === kind).length}`).join(", ")
}

const rowOf = (commit: string): string => {
  const differences = compareReleases(evidence(`${commit}~1`), evidence(commit))
  const subject = execFileSync("git", ["log", "-1", "--format=%s", commit], { encoding: "utf8" }).trim().replaceAll("|", "\\|")
  return `| ${commit.slice(0, 8)} | ${subject} | ${needsApproval(differences) ? "**yes**" : "no"} | ${counted(differences, "COUNTS")} | ${counted(differences, "READ")} |`
}

const approvedCommit = (): string => values.approved ?? (JSON.parse(readFileSync("docs/approval/release.json", "utf8")) as { readonly commit: string }).commit

if (values.parents === undefined) {
  const differences = compareReleases(evidence(approvedCommit()), evidence(values.release))
  for (const { kind, weight, what } of differences) say(`${weight}  ${kind.padEnd(9)}  ${what}`)
  say(needsApproval(differences) ? "A new approval is needed (TU §7.9)." : "No difference counts: the approval stands, once a person has read the lines above.")
  process.exitCode = needsApproval(differences) ? 1 : 0
} else {
  say("| Commit | Subject | New approval | Counts | To be read |\n| --- | --- | --- | --- | --- |")
  for (const commit of values.parents.split(",")) say(rowOf(commit))
}
