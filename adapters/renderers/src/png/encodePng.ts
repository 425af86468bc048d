import { promisify } from "node:util"
import { crc32, createDeflate, deflateSync } from "node:zlib"

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

const chunk = (type: string, data: Uint8Array): Uint8Array => {
  const out = Buffer.alloc(data.length + 12)
  out.writeUInt32BE(data.length, 0)
  out.write(type, 4, "latin1")
  out.set(data, 8)
  out.writeUInt32BE(crc32(out.subarray(4, data.length + 8)), data.length + 8)
  return out
}

/** How a grey or a colour picture is stored. */
export interface PngForm {
  readonly width: number
  readonly height: number
  readonly bitDepth: 1 | 4 | 8
  readonly colour?: boolean
  /** Printed size, so that viewers and printers scale it as the paper is. */
  readonly pixelsPerMetre?: number
}

/** Level 2: a fifth larger than the smallest, in a quarter of the time. */
const level = 2

const pngAround = (form: PngForm, compressed: Uint8Array): Uint8Array => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(form.width, 0)
  header.writeUInt32BE(form.height, 4)
  header.set([form.bitDepth, form.colour === true ? 2 : 0, 0, 0, 0], 8)
  const chunks = [signature, chunk("IHDR", header)]
  if (form.pixelsPerMetre !== undefined) {
    const density = Buffer.alloc(9)
    density.writeUInt32BE(form.pixelsPerMetre, 0)
    density.writeUInt32BE(form.pixelsPerMetre, 4)
    density.set([1], 8)
    chunks.push(chunk("pHYs", density))
  }
  return Buffer.concat([...chunks, chunk("IDAT", compressed), chunk("IEND", new Uint8Array())])
}

/** A picture as PNG. `rows` are packed at `bitDepth` bits a sample, each row after its filter byte 0. */
export const encodePng = (picture: PngForm & { readonly rows: Uint8Array }): Uint8Array =>
  pngAround(picture, deflateSync(picture.rows, { level }))

const collect = async (chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const all: Array<Uint8Array> = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

/** The parts as one zlib stream. Each is compressed before the next one is taken. */
const deflateParts = async (parts: Iterable<Uint8Array>): Promise<Uint8Array> => {
  const deflate = createDeflate({ level, chunkSize: 256 * 1024 })
  const write = promisify((part: Uint8Array, done: (error?: Error | null) => void) => deflate.write(part, done))
  const writeAll = async () => {
    for (const part of parts) await write(part)
    deflate.end()
  }
  try {
    const [compressed] = await Promise.all([collect(deflate), writeAll()])
    return compressed
  } finally {
    deflate.destroy()
  }
}

/**
 * A picture whose rows come in parts; a part may use the memory of the one before it. The form is asked for after the last part, because only then
 * the height is known.
 */
export const encodePngInParts = async (parts: Iterable<Uint8Array>, form: () => PngForm): Promise<Uint8Array> => {
  const compressed = await deflateParts(parts)
  return pngAround(form(), compressed)
}
