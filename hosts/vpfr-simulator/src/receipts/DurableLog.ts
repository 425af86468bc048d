import { createReadStream } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { dirname } from "node:path"
import { syncDirectory } from "../syncDirectory.ts"

interface Waiting {
  readonly line: Buffer
  readonly resolve: (offset: number) => void
  readonly reject: (cause: unknown) => void
}

/**
 * An append-only file of lines. `append` resolves only when the line is on disk; lines that arrive during a flush are written together with one
 * fdatasync.
 */
export class DurableLog {
  readonly #path: string
  readonly #file: FileHandle
  #end: number
  #waiting: Array<Waiting> = []
  #flushing: Promise<void> | null = null

  private constructor(path: string, file: FileHandle, end: number) {
    this.#path = path
    this.#file = file
    this.#end = end
  }

  static async open(path: string): Promise<DurableLog> {
    const file = await open(path, "a+", 0o600)
    await syncDirectory(dirname(path))
    const { size } = await file.stat()
    return new DurableLog(path, file, size)
  }

  /**
   * Reads every line with its byte offset, oldest first. A last line without its line feed was interrupted by a crash before anybody got an
   * acknowledgement; it is cut off.
   */
  async readAll(visit: (line: string, offset: number) => void): Promise<void> {
    let offset = 0
    let rest: Buffer = Buffer.alloc(0)
    if (this.#end === 0) return
    for await (const chunk of createReadStream(this.#path, { end: this.#end - 1, highWaterMark: 1 << 20 })) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let from = 0
      for (let at = rest.indexOf(10); at !== -1; at = rest.indexOf(10, from)) {
        this.#visitLine(visit, rest.toString("utf8", from, at), offset + from)
        from = at + 1
      }
      rest = rest.subarray(from)
      offset += from
    }
    if (rest.length > 0) {
      await this.#file.truncate(offset)
      this.#end = offset
    }
  }

  #visitLine(visit: (line: string, offset: number) => void, line: string, offset: number): void {
    try {
      visit(line, offset)
    } catch (cause) {
      throw new Error(`${this.#path} is damaged at byte ${offset}; restore it from a copy.`, { cause })
    }
  }

  /** Resolves with the line's byte offset once the line is durable. */
  append(line: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line: Buffer.from(`${line}\n`, "utf8"), resolve, reject })
      this.#flushing ??= this.#flush()
    })
  }

  async #flush(): Promise<void> {
    // One turn of the event loop, so that concurrent receipts share a flush.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      await this.#write(batch)
    }
    this.#flushing = null
  }

  async #write(batch: ReadonlyArray<Waiting>): Promise<void> {
    try {
      const bytes = Buffer.concat(batch.map((waiting) => waiting.line))
      await this.#file.appendFile(bytes)
      await this.#file.datasync()
      for (const { line, resolve } of batch) {
        resolve(this.#end)
        this.#end += line.length
      }
    } catch (cause) {
      // How much reached the file is unknown: it is cut back, so that a later line never follows half of this one.
      await this.#file.truncate(this.#end).catch(() => undefined)
      for (const { reject } of batch) reject(cause)
    }
  }

  /** The line that starts at an offset `append` or `readAll` gave. */
  async readLine(offset: number, length: number): Promise<string> {
    const buffer = Buffer.alloc(length)
    const { bytesRead } = await this.#file.read(buffer, 0, length, offset)
    return buffer.toString("utf8", 0, bytesRead)
  }

  async close(): Promise<void> {
    await this.#flushing
    await this.#file.close()
  }
}
