import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

const packageFolder = /^\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+/
const isNotice = /^(?:licen[cs]e|copying|notice)/i

const noticeOf = (folder: string): string => {
  const { license = "no licence named", name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest
  const texts = readdirSync(folder).filter((file) => isNotice.test(file)).toSorted().map((file) => readFileSync(join(folder, file), "utf8").trim())
  return [`${name} ${version} (${license})`, ...texts].join("\n\n")
}

/** The licences of the packages that modules of a bundle belong to, by the modules' files: whoever passes on their code passes on these texts too. */
export const noticesOf = (modules: ReadonlyArray<string>): string => {
  const folders = new Set(modules.flatMap((file) => packageFolder.exec(file)?.[0] ?? []))
  const notices = new Set([...folders].map(noticeOf))
  return `The files in this folder contain code of these packages.\n\n${[...notices].toSorted().join(`\n\n${"-".repeat(80)}\n\n`)}\n`
}
