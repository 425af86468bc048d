import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import type { Machine } from "./Machine.ts"

/** The release of this commit, unpacked and installed in a machine that is not booted yet, by the command of the page on installing; and Node. */
export const installRelease = (machine: Machine): void => {
  execFileSync(process.execPath, ["--conditions=@overa/source", "tools/release.ts"], { stdio: "ignore" })
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string }
  const folder = join(machine.root, "opt/overa")
  mkdirSync(folder, { recursive: true })
  execFileSync("tar", ["-xzf", `release/overa-${version}.tar.gz`, "-C", folder])
  const command = /^ *(npm ci --omit=dev.*)$/m.exec(readFileSync("docs/operations/install.md", "utf8"))?.[1] ?? "exit 1"
  execFileSync("sh", ["-ec", command], { cwd: join(folder, `overa-${version}`), stdio: "ignore" })
  symlinkSync(`overa-${version}`, join(folder, "current"))
  machine.copy(process.execPath, "/opt/overa/node/bin/node")
}
