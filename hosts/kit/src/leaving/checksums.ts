import { createHash } from "node:crypto"
import { Stream } from "effect"
import { type LeavingFile, partNumber } from "./LeavingFile.ts"

/** The last file: without it something is missing. */
export const lastFile = "checksums.sha256"
/** Files of one list of digests. */
const filesOfList = 1_000

interface Sums {
  readonly lines: ReadonlyArray<string>
  readonly lists: ReadonlyArray<string>
}

const none: Sums = { lines: [], lists: [] }

/** A line as `sha256sum` writes and checks it. */
const sumLine = ({ content, path }: LeavingFile): string => `${createHash("sha256").update(content).digest("hex")}  ${path}\n`

/** The list of the files since the last one, and its own line. */
const closeList = ({ lines, lists }: Sums): readonly [Sums, ReadonlyArray<LeavingFile>] => {
  if (lines.length === 0) return [{ lines, lists }, []]
  const list = { path: `checksums/${partNumber(lists.length)}.sha256`, content: lines.join("") }
  return [{ lines: [], lists: [...lists, sumLine(list)] }, [list]]
}

/** What comes after one file, or after the last one. */
const afterFile = (sums: Sums, file: LeavingFile | null): readonly [Sums, ReadonlyArray<LeavingFile>] => {
  if (file === null) {
    const [closed, last] = closeList(sums)
    return [closed, [...last, { path: lastFile, content: closed.lists.join("") }]]
  }
  const added = { ...sums, lines: [...sums.lines, sumLine(file)] }
  const [next, lists] = added.lines.length < filesOfList ? [added, []] : closeList(added)
  return [next, [file, ...lists]]
}

/** The same files with lists of their SHA-256 digests among them; the last file has the digests of the lists. Files that end in a failure have no last file. */
export const withChecksums = <E, R>(files: Stream.Stream<LeavingFile, E, R>): Stream.Stream<LeavingFile, E, R> =>
  Stream.mapAccum(Stream.concat<LeavingFile | null, E, R, null, never, never>(files, Stream.succeed(null)), () => none, afterFile)
