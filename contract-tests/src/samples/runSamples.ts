import { execFile } from "node:child_process"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import type { SampleRun } from "./sampleGround.ts"

const root = join(import.meta.dirname, "../../..")
const began = "=== "

/** Programs that run each file of `runs.json` unchanged with its variables, all in one process: starting one for each takes ten times as long. */
const runners = {
  Shell: {
    ending: "sh", command: "bash",
    program: [`while read -r name; do echo "\n${began}$name"; (set -a; . "./$name.env"; . "./$name.sh"); done < names.txt`], option: "-c"
  },
  PHP: {
    ending: "php", command: "php", option: "-r",
    program: [`foreach (json_decode(file_get_contents('runs.json'), true) as $name => $values) { foreach ($values as $key => $value) putenv("$key=$value"); echo "\\n${began}$name\\n"; include "./$name.php"; }`]
  },
  Python: {
    ending: "py", command: "python3", option: "-c",
    program: [`import json, os, runpy\nfor name, values in json.load(open("runs.json")).items():\n  os.environ.update(values); print("\\n${began}" + name); runpy.run_path(name + ".py")`]
  },
  TypeScript: {
    ending: "ts", command: process.execPath, option: "--input-type=module",
    program: ["--conditions=@overa/source", "-e", `import { readFileSync } from "node:fs"\nfor (const [name, values] of Object.entries(JSON.parse(readFileSync("runs.json", "utf8")))) { Object.assign(process.env, values); console.log("\\n${began}" + name); await import(process.cwd() + "/" + name + ".ts") }`]
  }
} as const
export type SampleLanguage = keyof typeof runners
export const sampleLanguages = Object.keys(runners) as ReadonlyArray<SampleLanguage>

/** What each sample printed, by its name. */
export const runSamples = async (folder: string, language: SampleLanguage, runs: Readonly<Record<string, SampleRun>>): Promise<ReadonlyMap<string, string>> => {
  const { command, ending, option, program } = runners[language]
  const own = join(folder, language)
  mkdirSync(own)
  symlinkSync(join(root, "node_modules"), join(own, "node_modules"))
  writeFileSync(join(own, "package.json"), JSON.stringify({ type: "module" }))
  writeFileSync(join(own, "names.txt"), Object.keys(runs).map((name) => `${name}\n`).join(""))
  writeFileSync(join(own, "runs.json"), JSON.stringify(Object.fromEntries(Object.entries(runs).map(([name, { environment }]) => [name, environment]))))
  for (const [name, { environment, source }] of Object.entries(runs)) {
    writeFileSync(join(own, `${name}.${ending}`), `${source}\n`)
    writeFileSync(join(own, `${name}.env`), Object.entries(environment).map(([key, value]) => `${key}='${value}'\n`).join(""))
  }
  const { stdout } = await promisify(execFile)(command, [option, ...program], { cwd: own, maxBuffer: 1e8 })
  return new Map(stdout.split(`\n${began}`).slice(1).map((part) => {
    const end = part.indexOf("\n")
    return [part.slice(0, end), part.slice(end + 1)] as const
  }))
}
