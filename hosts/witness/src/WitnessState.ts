import { base64Of, hexOf, type Seen } from "@overa/domain"
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync } from "node:fs"
import { open, rename } from "node:fs/promises"
import { join } from "node:path"

interface Stored {
  readonly origin: string
  readonly size: number
  readonly root: string
}

const fileOf = (origin: string): string => `${hexOf(createHash("sha256").update(origin).digest())}.json`

/**
 * What a witness has cosigned of each log, one file a log in a folder of its own. It is on disk before the cosignature leaves the process: a witness that
 * forgets could cosign two trees of one size. One process at a time may use the folder.
 */
export class WitnessState {
  private readonly folder: string

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    this.folder = folder
  }

  /** Null where nothing was cosigned yet. Throws where the file cannot be read: then nothing may be cosigned. */
  seen(origin: string): Seen | null {
    let text: string
    try {
      text = readFileSync(join(this.folder, fileOf(origin)), "utf8")
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null
      throw error
    }
    const { root, size } = JSON.parse(text) as Stored
    return { size, root: new Uint8Array(Buffer.from(root, "base64")) }
  }

  /** Durable when it resolves: written beside the old file, flushed, put in its place, and the folder flushed. */
  async store(origin: string, { root, size }: Seen): Promise<void> {
    const [place, beside] = [join(this.folder, fileOf(origin)), join(this.folder, `${fileOf(origin)}.new`)]
    const file = await open(beside, "w")
    try {
      await file.writeFile(JSON.stringify({ origin, size, root: base64Of(root) } satisfies Stored))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(beside, place)
    const folder = await open(this.folder, "r")
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  }
}
