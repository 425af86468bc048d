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
