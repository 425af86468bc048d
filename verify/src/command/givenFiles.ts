import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { largestFile } from "../check/checkFiles.ts"
import type { GivenFile } from "../check/GivenFile.ts"

/** The most files of a folder that are read. */
export const mostFiles = 10_000

const isLink = (text: string): boolean => /^https?:\/\//.test(text)

/** A file too large to be read is passed on as empty bytes of the same number: its report says that it is too large. */
const fileAt = async (path: string, size: number): Promise<GivenFile> =>
  ({ name: path, bytes: size > largestFile ? new Uint8Array(largestFile + 1) : await readFile(path) })

const filesUnder = async (path: string): Promise<ReadonlyArray<GivenFile> | null> => {
  const found = await stat(path).catch(() => null)
  if (found === null) return null
  if (!found.isDirectory()) return [await fileAt(path, found.size)]
  const entries = (await readdir(path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  if (entries.length > mostFiles) return null
  const paths = entries.map(({ name, parentPath }) => join(parentPath, name)).toSorted()
  return Promise.all(paths.map(async (one) => fileAt(one, (await stat(one)).size)))
}

/** The files named by the arguments: folders with everything in them, links as texts; and the arguments that name nothing. */
export const givenFiles = async (args: ReadonlyArray<string>) => {
  const files: Array<GivenFile> = []
  const missing: Array<string> = []
  for (const argument of args) {
    if (isLink(argument)) {
      files.push({ name: `${argument.slice(0, 60)}…`, bytes: new TextEncoder().encode(argument) })
      continue
    }
    const found = await filesUnder(argument)
    if (found === null) missing.push(argument)
    else files.push(...found)
  }
  return { files, missing }
}
