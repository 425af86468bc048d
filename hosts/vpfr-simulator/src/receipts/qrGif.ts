import QRCode from "qrcode"

const pixelsPerModule = 4

/** LSB-first bit stream for LZW codes of growing width (GIF89a, appendix F). */
class CodeStream {
  readonly #bytes: Array<number> = []
  #pending = 0
  #bits = 0

  write(code: number, size: number): void {
    this.#pending |= code << this.#bits
    this.#bits += size
    while (this.#bits >= 8) {
      this.#bytes.push(this.#pending & 0xff)
      this.#pending >>>= 8
      this.#bits -= 8
    }
  }

  finish(): Buffer {
    if (this.#bits > 0) this.#bytes.push(this.#pending & 0xff)
    return Buffer.from(this.#bytes)
  }
}

const clearCode = 4
const endCode = 5
const firstFree = 6
const lastCode = 4095

/** LZW of two-colour pixels; the dictionary is a binary tree in a flat array, cleared when full. */
const compress = (pixels: Uint8Array): Buffer => {
  const stream = new CodeStream()
  const children = new Uint16Array(2 * (lastCode + 1))
  let next = firstFree
  let size = 3
  stream.write(clearCode, size)
  let prefix = pixels[0] ?? 0
  for (let at = 1; at < pixels.length; at++) {
    const edge = 2 * prefix + (pixels[at] ?? 0)
    const known = children[edge] ?? 0
    if (known !== 0) {
      prefix = known
      continue
    }
    stream.write(prefix, size)
    if (next <= lastCode) {
      if (next === 1 << size) size += 1
      children[edge] = next++
    } else {
      stream.write(clearCode, size)
      children.fill(0)
      next = firstFree
      size = 3
    }
    prefix = pixels[at] ?? 0
  }
  stream.write(prefix, size)
  stream.write(endCode, size)
  return stream.finish()
}

const dataBlocks = (bytes: Buffer): Buffer => {
  const blocks: Array<Buffer> = []
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.subarray(at, at + 255)
    blocks.push(Buffer.from([block.length]), block)
  }
  return Buffer.concat([...blocks, Buffer.from([0])])
}

const u16 = (value: number): ReadonlyArray<number> => [value & 0xff, value >> 8]

/** A two-colour GIF: colour 0 white, colour 1 black. */
export const twoColourGif = (pixels: Uint8Array, width: number): Buffer => {
  const height = pixels.length / width
  const screen = [...u16(width), ...u16(height), 0x80, 0, 0, 255, 255, 255, 0, 0, 0]
  const image = [0x2c, 0, 0, 0, 0, ...u16(width), ...u16(height), 0, 2]
  return Buffer.concat([Buffer.from("GIF89a"), Buffer.from([...screen, ...image]), dataBlocks(compress(pixels)), Buffer.from([0x3b])])
}

/** The receipt's QR code as the V-PFR draws it: level L, four pixels a module, no quiet zone (V-PFR §3). */
export const qrGif = (text: string): Buffer => {
  // One byte segment under a fixed mask: choosing among masks costs ten times the rest and is not needed by readers.
  const code = QRCode.create([{ data: Buffer.from(text, "utf8"), mode: "byte" }], { errorCorrectionLevel: "L", maskPattern: 3 })
  const { data, size } = code.modules
  const width = size * pixelsPerModule
  const pixels = new Uint8Array(width * width)
  for (let row = 0; row < size; row++) {
    const line = pixels.subarray(row * pixelsPerModule * width, (row * pixelsPerModule + 1) * width)
    for (let column = 0; column < size; column++) {
      if (data[row * size + column] === 1) line.fill(1, column * pixelsPerModule, (column + 1) * pixelsPerModule)
    }
    for (let copy = 1; copy < pixelsPerModule; copy++) pixels.set(line, (row * pixelsPerModule + copy) * width)
  }
  return twoColourGif(pixels, width)
}
