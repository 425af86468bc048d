import type { ElsewhereFile } from "@overa/domain"
import { Stream } from "effect"
import { createReadStream } from "node:fs"
import { open, readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { type OpenFile, receiptFile } from "./receiptFile.ts"

const beginningOf = async (path: string): Promise<Uint8Array> => {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

const isHidden = (path: string): boolean => path.split(/[/\\]/).some((part) => part.startsWith("."))

const pathsIn = async (given: string): Promise<ReadonlyArray<string>> => {
  if (!(await stat(given)).isDirectory()) return [given]
  const entries = await readdir(given, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name, parentPath }) => join(parentPath, name)).filter((path) => !isHidden(path.slice(given.length))).toSorted()
}

const opened = async (path: string): Promise<OpenFile> => ({ name: path, beginning: await beginningOf(path), chunks: () => createReadStream(path) })

/** Files that were named, and all files in folders that were named, in the order of their names; hidden files are left out. Fails where one cannot be opened. */
export const receiptFiles = (paths: ReadonlyArray<string>): Stream.Stream<ElsewhereFile, string> => {
  const files = async function*() {
    for (const given of paths) for (const path of await pathsIn(given)) yield receiptFile(await opened(path))
  }
  return Stream.fromAsyncIterable({ [Symbol.asyncIterator]: files }, (cause) => cause instanceof Error ? cause.message : String(cause))
}
