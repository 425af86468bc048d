import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { buildPage } from "../verify/tools/buildPage.ts"
import { bundleHosts } from "./bundleHosts.ts"

/** Writes into a folder with the sources what an installation has besides them: the bundled hosts, and the page at /verify. Needs no compiler. */
export const buildInstallation = async (folder: string): Promise<void> => {
  await bundleHosts(join(folder, "hosts/dist"))
  await mkdir(join(folder, "verify/dist"), { recursive: true })
  await writeFile(join(folder, "verify/dist/verify.html"), await buildPage())
}

if (import.meta.main) await buildInstallation(fileURLToPath(new URL("..", import.meta.url)))
