import { crc32, deflateSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { decodePngOnWhite } from "../src/png/decodePng.ts"
import { encodePng } from "../src/png/encodePng.ts"

const chunk = (type: string, data: Uint8Array): Uint8Array => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** A PNG of any kind, written by hand. */
const png = (
  size: readonly [number, number],
  kind: { readonly depth: number; readonly type: number; readonly interlaced?: boolean },
  rows: ReadonlyArray<number>,
  extra: ReadonlyArray<Uint8Array> = []
): Uint8Array => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size[0], 0)
  header.writeUInt32BE(size[1], 4)
  header.set([kind.depth, kind.type, 0, 0, kind.interlaced === true ? 1 : 0], 8)
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
  const data = chunk("IDAT", deflateSync(Uint8Array.from(rows)))
  return Buffer.concat([signature, chunk("IHDR", header), ...extra, data, chunk("IEND", new Uint8Array())])
}

const rgb = (bytes: Uint8Array) => [...decodePngOnWhite(bytes).rgb]

describe("A PNG is read as it is, laid on white", () => {
  it.each([
    ["colour", png([2, 1], { depth: 8, type: 2 }, [0, 1, 2, 3, 4, 5, 6]), [1, 2, 3, 4, 5, 6]],
    ["colour with alpha", png([3, 1], { depth: 8, type: 6 }, [0, 9, 9, 9, 255, 9, 9, 9, 0, 0, 0, 0, 51]), [9, 9, 9, 255, 255, 255, 204, 204, 204]],
    ["grey with alpha", png([2, 1], { depth: 8, type: 4 }, [0, 7, 255, 7, 0]), [7, 7, 7, 255, 255, 255]],
    ["one bit", png([3, 1], { depth: 1, type: 0 }, [0, 0b1010_0000]), [255, 255, 255, 0, 0, 0, 255, 255, 255]],
    ["four bits", png([2, 1], { depth: 4, type: 0 }, [0, 0x1f]), [17, 17, 17, 255, 255, 255]],
    ["sixteen bits", png([1, 1], { depth: 16, type: 2 }, [0, 10, 99, 20, 99, 30, 99]), [10, 20, 30]],
    [
      "palette with transparency",
      png([2, 1], { depth: 2, type: 3 }, [0, 0b0100_0000], [chunk("PLTE", Uint8Array.of(1, 2, 3, 4, 5, 6)), chunk("tRNS", Uint8Array.of(255, 0))]),
      [255, 255, 255, 1, 2, 3]
    ]
  ])("%s", (_, bytes, pixels) => {
    expect(rgb(bytes)).toEqual(pixels)
  })

  it("undoes every filter", () => {
    const rows = [1, 10, 5, 5, 2, 1, 1, 1, 3, 10, 10, 10, 4, 1, 1, 1]
    const grey = (value: number) => [value, value, value]
    expect(rgb(png([3, 4], { depth: 8, type: 0 }, rows))).toEqual(
      [10, 15, 20, 11, 16, 21, 15, 25, 33, 16, 26, 34].flatMap(grey)
    )
  })

  it("reads back what is written here", () => {
    const rows = Uint8Array.of(0, 1, 2, 3, 250, 251, 252)
    expect(rgb(encodePng({ width: 2, height: 1, bitDepth: 8, colour: true, rows }))).toEqual([1, 2, 3, 250, 251, 252])
  })

  it.each([
    ["an interlaced one", png([1, 1], { depth: 8, type: 0, interlaced: true }, [0, 1]), /interlaced/],
    ["one shorter than it says", png([2, 2], { depth: 8, type: 0 }, [0, 1, 1]), /shorter/],
    ["one longer than it says", png([1, 1], { depth: 8, type: 0 }, [0, 1, 1, 1]), /larger|length/i],
    ["an unknown kind", png([1, 1], { depth: 8, type: 5 }, [0, 1]), /unknown/],
    ["no PNG", new Uint8Array(100), /header/]
  ])("%s is refused", (_, bytes, message) => {
    expect(() => decodePngOnWhite(bytes)).toThrow(message)
  })
})
