import { type Finding, finding, type Report } from "./Finding.ts"
import type { GivenFile } from "./GivenFile.ts"

/** The first file of what an organization has taken along. */
interface Head {
  /** The name's part before the file's own. */
  readonly base: string
  readonly name: string
  readonly lastFile: string
}

const headName = "leaving.json"
const largestHead = 20_000
/** Names that one sentence shows. */
const mostShown = 5

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** The head that a file is; null for any other. */
export const leavingHead = ({ bytes, name }: GivenFile): Head | null => {
  if (bytes.length > largestHead || !(name === headName || name.endsWith(`/${headName}`))) return null
  try {
    const { format, lastFile } = JSON.parse(textOf(bytes)) as { readonly format?: unknown; readonly lastFile?: unknown }
    return format === "overa leaving" && typeof lastFile === "string" ? { base: name.slice(0, -headName.length), name, lastFile } : null
  } catch {
    return null // JSON.parse has no other way to say "no JSON"
  }
}

const digestOf = async (bytes: Uint8Array): Promise<string> =>
  Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes))), (byte) => byte.toString(16).padStart(2, "0")).join("")

const sumLine = /^([0-9a-f]{64}) [ *](.+)$/

const shownNames = (names: ReadonlyArray<string>): string => names.slice(0, mostShown).join(", ") + (names.length > mostShown ? ", …" : "")

/** Whether what an organization has taken along is whole: each file that its lists of digests name is there, and is as it was. */
export class LeavingCheck {
  private readonly head: Head
  /** Files seen whose line was not, and lines seen whose file was not. */
  private readonly seen = new Map<string, string>()
  private readonly listed = new Map<string, string>()
  private readonly changed: Array<string> = []
  private files = 0
  private isEnded = false

  constructor(head: Head) {
    this.head = head
  }

  /** Takes note of a file, in any order. */
  async see({ bytes, name }: GivenFile): Promise<void> {
    if (!name.startsWith(this.head.base)) return
    const path = name.slice(this.head.base.length)
    if (path === this.head.lastFile) this.isEnded = true
    else this.meet(path, await digestOf(bytes), this.seen, this.listed)
    if (path === this.head.lastFile || /^checksums\/\d+\.sha256$/.test(path)) {
      for (const line of textOf(bytes).split("\n")) {
        const [, digest, listed] = sumLine.exec(line) ?? []
        if (digest !== undefined && listed !== undefined) this.meet(listed, digest, this.listed, this.seen)
      }
    }
  }

  /** What was met on the one side is compared with the other side's, and then kept no longer. */
  private meet(path: string, digest: string, own: Map<string, string>, other: Map<string, string>): void {
    const expected = other.get(path)
    if (expected === undefined) {
      own.set(path, digest)
      return
    }
    other.delete(path)
    this.files += 1
    if (expected !== digest) this.changed.push(path)
  }

  report(): Report {
    const [missing, unlisted] = [[...this.listed.keys()], [...this.seen.keys()]]
    const wrong: ReadonlyArray<Finding> = [
      ...(this.isEnded ? [] : [finding("CONTRADICTED", "leavingCut", this.head.lastFile)]),
      ...(missing.length === 0 ? [] : [finding("CONTRADICTED", "leavingMissing", missing.length, shownNames(missing))]),
      ...(this.changed.length === 0 ? [] : [finding("CONTRADICTED", "leavingChanged", this.changed.length, shownNames(this.changed))])
    ]
    const added = unlisted.length === 0 || !this.isEnded ? [] : [finding("CLAIMED", "leavingUnlisted", unlisted.length, shownNames(unlisted))]
    return { name: this.head.name, kind: "LEAVING", findings: [...wrong, ...(wrong.length === 0 ? [finding("CLAIMED", "leavingWhole", this.files)] : []), ...added], checkpoint: null }
  }
}
