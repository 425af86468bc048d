import type { LeavingFile } from "@overa/host-kit/leaving"
import { Effect, Stream } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** Writes the files into a folder, one after the other as they are read. */
export const writeFolder = <E, R>(into: string, files: Stream.Stream<LeavingFile, E, R>): Effect.Effect<void, E, R> =>
  Stream.runForEach(files, ({ content, path }) =>
    Effect.sync(() => {
      const file = join(into, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }))
