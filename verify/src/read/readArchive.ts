import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { createGunzip } from "node:zlib"
import { extract } from "tar-stream"
import { largestFile } from "../check/checkFiles.ts"
import type { GivenFile } from "../check/GivenFile.ts"

/** Where the letters "ustar" are in the first block of an archive. */
const ustarAt = 257

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b
const isTar = (bytes: Uint8Array): boolean => new TextDecoder("latin1").decode(bytes.subarray(ustarAt, ustarAt + 5)) === "ustar"

const firstBlock = async (path: string): Promise<Uint8Array> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Whether a file is a tar archive, or compressed: one that cannot be opened is reported, not overlooked. */
export const isArchive = async (path: string): Promise<boolean> => {
  const first = await firstBlock(path)
  return isGzip(first) || isTar(first)
}

/** The bytes of an entry; of one too large to be read, as many that its report says so. */
const bytesOf = async (entry: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const parts: Array<Uint8Array> = []
  let size = 0
  for await (const part of entry) {
    size += part.length
    if (size <= largestFile) parts.push(part)
  }
  return size > largestFile ? new Uint8Array(largestFile + 1) : Buffer.concat(parts)
}

/** The files of a tar archive, one after the other. Fails where the archive breaks off or is damaged. */
export const filesOfArchive = async function*(path: string): AsyncGenerator<GivenFile> {
  const archive = extract()
  const source = createReadStream(path)
  const gunzip = isGzip(await firstBlock(path)) ? createGunzip() : null
  const breakOff = (error: Error): void => archive.destroy(error)
  source.on("error", breakOff)
  gunzip?.on("error", breakOff)
  if (gunzip === null) source.pipe(archive as unknown as NodeJS.WritableStream)
  else source.pipe(gunzip).pipe(archive as unknown as NodeJS.WritableStream)
  try {
    for await (const entry of archive) {
      const { header } = entry
      const bytes = await bytesOf(entry as AsyncIterable<Uint8Array>)
      if (header.type === "file" || header.type === "contiguous-file") yield { name: header.name, bytes }
    }
  } finally {
    source.destroy()
    gunzip?.destroy()
  }
}
