import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { ArchiveBroken, largestFile } from "../check/checkFiles.ts"
import type { FileSource, GivenFile } from "../check/GivenFile.ts"
import { filesOfArchive, isArchive } from "../read/readArchive.ts"

const isLink = (text: string): boolean => /^https?:\/\//.test(text)

const fromArchive = async function*(path: string): AsyncGenerator<GivenFile> {
  try {
    for await (const file of filesOfArchive(path)) yield { ...file, name: `${path}/${file.name}` }
  } catch (error) {
    throw new ArchiveBroken(path, error instanceof Error ? error.message : String(error))
  }
}

/** A file too large to be read is passed on as empty bytes of the same number: its report says that it is too large. */
const fileAt = async function*(path: string): AsyncGenerator<GivenFile> {
  const { size } = await stat(path)
  if (await isArchive(path)) yield* fromArchive(path)
  else yield { name: path, bytes: size > largestFile ? new Uint8Array(largestFile + 1) : await readFile(path) }
}

const pathsUnder = async (path: string): Promise<ReadonlyArray<string> | null> => {
  const found = await stat(path).catch(() => null)
  if (found === null) return null
  if (!found.isDirectory()) return [path]
  const entries = (await readdir(path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  return entries.map(({ name, parentPath }) => join(parentPath, name)).toSorted()
}

/** The files named by the arguments, one after the other: folders and archives with everything in them, links as texts; and the arguments that name nothing. */
export const givenFiles = async (args: ReadonlyArray<string>): Promise<{ readonly files: FileSource; readonly missing: ReadonlyArray<string> }> => {
  const found = await Promise.all(args.map(async (argument) => ({ argument, paths: isLink(argument) ? [] : await pathsUnder(argument) })))
  const files = async function*(): AsyncGenerator<GivenFile> {
    for (const { argument, paths } of found) {
      if (isLink(argument)) yield { name: `${argument.slice(0, 60)}…`, bytes: new TextEncoder().encode(argument) }
      for (const path of paths ?? []) yield* fileAt(path)
    }
  }
  return { files, missing: found.filter(({ paths }) => paths === null).map(({ argument }) => argument) }
}
