import { inflateSync } from "node:zlib"

/** A picture without transparency, three bytes a pixel. */
export interface OpaquePicture {
  readonly width: number
  readonly height: number
  readonly rgb: Uint8Array
}

interface Header {
  readonly width: number
  readonly height: number
  readonly bitDepth: number
  /** 0 grey, 2 colour, 3 palette, 4 grey with alpha, 6 colour with alpha. */
  readonly colourType: number
}

const samplesPerPixel: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

interface Chunks {
  readonly header: Header
  readonly palette: Uint8Array
  readonly transparency: Uint8Array | null
  readonly data: Uint8Array
}

const readHeader = (bytes: Buffer, at: number): Header => {
  const header = {
    width: bytes.readUInt32BE(at),
    height: bytes.readUInt32BE(at + 4),
    bitDepth: bytes[at + 8] ?? 0,
    colourType: bytes[at + 9] ?? -1
  }
  if (samplesPerPixel[header.colourType] === undefined || ![1, 2, 4, 8, 16].includes(header.bitDepth)) {
    throw new Error(`unknown PNG colour type ${header.colourType} or depth ${header.bitDepth}`)
  }
  if (bytes[at + 12] !== 0) throw new Error("interlaced PNG")
  return header
}

const readChunks = (source: Uint8Array): Chunks => {
  const bytes = Buffer.from(source)
  let header: Header | null = null
  let palette = new Uint8Array()
  let transparency: Uint8Array | null = null
  const data: Array<Uint8Array> = []
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const body = bytes.subarray(at + 8, at + 8 + length)
    const type = bytes.toString("latin1", at + 4, at + 8)
    if (type === "IHDR") header = readHeader(bytes, at + 8)
    else if (type === "PLTE") palette = Uint8Array.from(body)
    else if (type === "tRNS") transparency = body
    else if (type === "IDAT") data.push(body)
    else if (type === "IEND") break
    at += 12 + length
  }
  if (header === null) throw new Error("PNG without a header")
  return { header, palette, transparency, data: Buffer.concat(data) }
}

const paeth = (left: number, up: number, corner: number): number => {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner
}

/** Undoes the filter of every row; the answer has no filter bytes (PNG specification, section 9). */
const unfilter = (raw: Uint8Array, stride: number, height: number, step: number): Uint8Array => {
  const rows = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)] ?? 0
    const from = y * (stride + 1) + 1
    const to = y * stride
    for (let x = 0; x < stride; x++) {
      const left = x >= step ? rows[to + x - step] ?? 0 : 0
      const up = y > 0 ? rows[to + x - stride] ?? 0 : 0
      const corner = x >= step && y > 0 ? rows[to + x - stride - step] ?? 0 : 0
      const guess = filter === 1
        ? left
        : filter === 2
        ? up
        : filter === 3
        ? (left + up) >> 1
        : filter === 4
        ? paeth(left, up, corner)
        : 0
      rows[to + x] = (raw[from + x] ?? 0) + guess
    }
  }
  return rows
}

/** Reads sample `index` of a row as stored: 0 to 2^depth − 1, of 16 bits only the upper eight. */
const sampleAt = (rows: Uint8Array, rowStart: number, index: number, depth: number): number => {
  if (depth === 8) return rows[rowStart + index] ?? 0
  if (depth === 16) return rows[rowStart + 2 * index] ?? 0
  const bit = index * depth
  return ((rows[rowStart + (bit >> 3)] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
}

const onWhite = (sample: number, alpha: number): number => Math.round((sample * alpha + 255 * (255 - alpha)) / 255)

type PixelReader = (rowStart: number, x: number) => readonly [number, number, number, number]

/** Red, green, blue and alpha of a pixel, 0 to 255 each. */
const pixelReader = ({ header: { bitDepth, colourType }, palette, transparency }: Chunks, rows: Uint8Array): PixelReader => {
  const full = bitDepth < 8 ? 255 / ((1 << bitDepth) - 1) : 1
  const samples = samplesPerPixel[colourType] ?? 1
  const sample = (rowStart: number, x: number, index: number) => sampleAt(rows, rowStart, x * samples + index, bitDepth)
  if (colourType === 3) {
    return (rowStart, x) => {
      const entry = sample(rowStart, x, 0)
      const [red = 0, green = 0, blue = 0] = palette.subarray(entry * 3, entry * 3 + 3)
      return [red, green, blue, transparency?.[entry] ?? 255]
    }
  }
  if (colourType === 0 || colourType === 4) {
    return (rowStart, x) => {
      const grey = Math.round(sample(rowStart, x, 0) * full)
      return [grey, grey, grey, colourType === 4 ? sample(rowStart, x, 1) : 255]
    }
  }
  return (rowStart, x) => [
    sample(rowStart, x, 0),
    sample(rowStart, x, 1),
    sample(rowStart, x, 2),
    colourType === 6 ? sample(rowStart, x, 3) : 255
  ]
}

/** A PNG on white paper. Throws the fault of a file that is no PNG, or is interlaced. */
export const decodePngOnWhite = (bytes: Uint8Array): OpaquePicture => {
  const chunks = readChunks(bytes)
  const { bitDepth, colourType, height, width } = chunks.header
  const bits = bitDepth * (samplesPerPixel[colourType] ?? 1)
  const stride = Math.ceil(width * bits / 8)
  const raw = inflateSync(chunks.data, { maxOutputLength: (stride + 1) * height })
  if (raw.length !== (stride + 1) * height) throw new Error("PNG shorter than its header says")
  const rows = unfilter(raw, stride, height, Math.max(1, bits >> 3))
  const pixel = pixelReader(chunks, rows)
  const rgb = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [red, green, blue, alpha] = pixel(y * stride, x)
      rgb.set([onWhite(red, alpha), onWhite(green, alpha), onWhite(blue, alpha)], (y * width + x) * 3)
    }
  }
  return { width, height, rgb }
}
