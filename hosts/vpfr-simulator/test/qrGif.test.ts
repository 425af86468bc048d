import jsQR from "jsqr"
import { describe, expect, it } from "vitest"
import { qrGif, twoColourGif } from "../src/receipts/qrGif.ts"
import { readGif } from "./support/readGif.ts"

describe("QR codes are drawn as the portal draws them (V-PFR §3)", () => {
  it.each([[858, 388], [859, 404]])("%i characters make %i pixels: level L, no quiet zone", (length, width) => {
    const text = "https://example/v/?vl=".padEnd(length, "A")
    const gif = readGif(qrGif(text))
    expect([gif.width, gif.height]).toEqual([width, width])
    const border = 16
    const size = width + 2 * border
    const rgba = new Uint8ClampedArray(size * size * 4).fill(255)
    gif.pixels.forEach((colour, at) => {
      const target = ((Math.floor(at / width) + border) * size + (at % width) + border) * 4
      if (colour === 1) rgba.fill(0, target, target + 3)
    })
    expect(jsQR.default(rgba, size, size)?.data).toBe(text)
  })
})

describe("GIF compression", () => {
  it.each([
    ["one colour", () => 0],
    ["stripes", (at: number) => at & 1],
    // A linear congruential sequence: no runs, so the dictionary fills up and is cleared several times.
    ["noise", (at: number) => ((Math.imul(at + 1, 2654435761) ^ Math.imul(at * at, 40503)) >>> 13) & 1]
  ] as const)("gives %s back pixel for pixel", (_name, colourAt) => {
    const pixels = Uint8Array.from({ length: 300 * 300 }, (_, at) => colourAt(at))
    expect(readGif(twoColourGif(pixels, 300)).pixels).toEqual([...pixels])
  })

  it("draws a single pixel", () => {
    expect(readGif(twoColourGif(Uint8Array.of(1), 1))).toEqual({ width: 1, height: 1, pixels: [1] })
  })
})
