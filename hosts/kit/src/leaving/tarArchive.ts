import { Effect, Stream } from "effect"
import type { Readable } from "node:stream"
import { createGzip } from "node:zlib"
import { type Pack, pack } from "tar-stream"
import type { LeavingFile } from "./LeavingFile.ts"

/** Ends when the file is in the archive as far as its reader takes more, or when the reader is gone. */
const add = (archive: Pack, { content, path }: LeavingFile, mtime: Date): Promise<void> =>
  new Promise((resolve, reject) => {
    archive.once("close", resolve)
    const entry = archive.entry({ name: path, mtime }, content, (error) => {
      archive.off("close", resolve)
      if (error === null || error === undefined) resolve()
      else reject(error)
    })
    // Where the reader leaves while the file is being written, the entry is told the error as well: unheard, it would end the process.
    entry.on("error", () => undefined)
  })

/** Reads no further file before the last one is taken; a reader that leaves ends the reading. */
const fill = async (archive: Pack, files: AsyncIterable<LeavingFile>, mtime: Date): Promise<void> => {
  for await (const file of files) {
    if (archive.destroying) return
    await add(archive, file, mtime)
  }
  archive.finalize()
}

/**
 * The files as one compressed tar archive that is written while they are read: the memory does not grow with it. Where reading fails, the archive breaks off.
 */
export const tarArchive = <E, R>(files: Stream.Stream<LeavingFile, E, R>, mtime: Date): Effect.Effect<Readable, never, R> =>
  Effect.map(Effect.context<R>(), (context) => {
    const archive = pack()
    const zipped = createGzip()
    archive.on("error", (error) => zipped.destroy(error))
    zipped.on("close", () => archive.destroy())
    archive.pipe(zipped as unknown as Parameters<typeof archive.pipe>[0])
    fill(archive, Stream.toAsyncIterableWith(files, context), mtime).catch((error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))))
    return zipped
  })
