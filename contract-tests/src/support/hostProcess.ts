import type { ChildProcess } from "node:child_process"
import { readFileSync } from "node:fs"

const image = (): string => readFileSync(new URL("../../../Dockerfile", import.meta.url), "utf8")

/** The Node options of the image: a limit of the heap and when it is collected. */
export const heapArguments = (): ReadonlyArray<string> => {
  const command = JSON.parse(/^CMD (\[.*\])$/m.exec(image())?.[1] ?? "") as ReadonlyArray<string>
  return command.filter((argument) => argument.startsWith("--"))
}

/** The environment variables that the image sets. */
export const imageVariables = (): Readonly<Record<string, string>> =>
  Object.fromEntries((/^ENV (.+)$/m.exec(image())?.[1] ?? "").split(" ").map((setting) => setting.split("=") as [string, string]))

/** The address at which a host serves, from the line of its log that names it. Its standard output must be a pipe, which is then read to its end. */
export const servedAddress = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ""
    child.once("exit", (code) => reject(new Error(`the host ended with ${code}: ${text}`)))
    child.stdout?.on("data", (chunk: Buffer) => {
      if (text.length > 100_000) return
      text += chunk.toString()
      const found = /"url":"([^"]+)"/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
  })

/** Processor time of a process since it started, all its threads, in milliseconds. Linux only. */
export const cpuMillis = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  const [user = "0", system = "0"] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11, 13)
  return (Number(user) + Number(system)) * 10
}

/** Memory of a process that is not swapped out. Linux only. */
export const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024
