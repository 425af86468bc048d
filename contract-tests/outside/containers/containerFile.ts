import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync } from "node:fs"
import { basename, join } from "node:path"

/** One instruction of a container file, its continued lines joined. */
export interface Instruction {
  readonly name: string
  readonly value: string
}

/** The instructions of a container file, stage by stage; each stage begins with its FROM. */
export const stagesOf = (containerFile: string): ReadonlyArray<ReadonlyArray<Instruction>> => {
  const lines = containerFile.replaceAll(/^#.*\n/gm, "").replaceAll(/\\\n\s*/g, "").split("\n").filter((line) => line !== "")
  const stages: Array<Array<Instruction>> = []
  for (const line of lines) {
    const [, name = "", value = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (name === "FROM") stages.push([])
    stages.at(-1)?.push({ name, value })
  }
  return stages
}

/**
 * Builds a container file's stages as folders of this machine: a stage begins as the stage that it names, copies from the build's context or another stage, and runs its
 * commands in its own folder. Its working directory is the folder itself. Answers the folder of the last one. `runs` tells which commands are run.
 */
export const buildStages = (containerFile: string, context: string, folder: string, runs: (command: string) => boolean): string => {
  const names = new Map<string, string>()
  let place = ""
  for (const [at, stage] of stagesOf(containerFile).entries()) {
    place = join(folder, `stage-${at}`)
    for (const { name, value } of stage) {
      if (name === "FROM") {
        const [base = "", , as = `${at}`] = value.split(" ")
        const before = names.get(base)
        if (before === undefined) mkdirSync(place, { recursive: true })
        else cpSync(before, place, { recursive: true, verbatimSymlinks: true })
        names.set(as, place)
      }
      if (name === "COPY") {
        const [, stageName, paths = ""] = /^(?:--from=(\S+) )?(.*)$/.exec(value) ?? []
        const sources = paths.split(" ")
        const target = sources.pop() ?? ""
        for (const source of sources) {
          const from = stageName === undefined ? join(context, source) : join(names.get(stageName) ?? "no stage", source.replace(/^\/overa/, ""))
          cpSync(from, target.endsWith("/") && stageName === undefined ? join(place, target, basename(source)) : join(place, target), { recursive: true, verbatimSymlinks: true })
        }
      }
      if (name === "RUN" && runs(value)) execFileSync("sh", ["-ec", value], { cwd: place, stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, NODE_OPTIONS: "" } })
    }
  }
  return place
}
