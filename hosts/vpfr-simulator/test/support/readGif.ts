export interface Picture {
  readonly width: number
  readonly height: number
  /** One colour index per pixel. */
  readonly pixels: ReadonlyArray<number>
}

/** Decodes a GIF of one picture with a two-entry colour table, independently of the code that writes it. */
export const readGif = (bytes: Buffer): Picture => {
  if (bytes.toString("latin1", 0, 6) !== "GIF89a") throw new Error("not a GIF89a")
  const width = bytes.readUInt16LE(6)
  const height = bytes.readUInt16LE(8)
  const image = 13 + 6
  if (bytes[image] !== 0x2c) throw new Error("no image descriptor")
  const minimum = bytes[image + 10] ?? 0
  const data: Array<number> = []
  let at = image + 11
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) {
    data.push(...bytes.subarray(at + 1, at + 1 + length))
    at += length + 1
  }
  if (bytes[at + 1] !== 0x3b) throw new Error("no trailer")
  return { width, height, pixels: inflate(data, minimum) }
}

const inflate = (data: ReadonlyArray<number>, minimum: number): ReadonlyArray<number> => {
  const clear = 1 << minimum
  const end = clear + 1
  const fresh = (): Array<ReadonlyArray<number>> => [...Array.from({ length: clear }, (_, index) => [index]), [], []]
  const pixels: Array<number> = []
  let table = fresh()
  let size = minimum + 1
  let previous: ReadonlyArray<number> | undefined
  let bit = 0
  for (;;) {
    let code = 0
    for (let index = 0; index < size; index++, bit++) code |= (((data[bit >> 3] ?? 0) >> (bit & 7)) & 1) << index
    if (code === end) return pixels
    if (code === clear) {
      table = fresh()
      size = minimum + 1
      previous = undefined
      continue
    }
    const entry: ReadonlyArray<number> | undefined = table[code] ?? (previous && [...previous, previous[0] ?? 0])
    if (entry === undefined) throw new Error("a code before its entry")
    pixels.push(...entry)
    if (previous !== undefined && table.length < 4096) table.push([...previous, entry[0] ?? 0])
    if (table.length === 1 << size && size < 12) size += 1
    previous = entry
  }
}
