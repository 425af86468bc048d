import jsQR from "jsqr"
import { PNG } from "pngjs"

/** A grey picture, one byte a pixel, 0 is black. */
export interface GreyPicture {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

const decoder = jsQR as unknown as typeof jsQR.default

/** The text that a phone would read from the picture, or null. */
export const decodeQr = ({ data, height, width }: GreyPicture): string | null => {
  const rgba = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let at = 0; at < width * height; at++) {
    const grey = data[at] ?? 255
    rgba[at * 4] = grey
    rgba[at * 4 + 1] = grey
    rgba[at * 4 + 2] = grey
  }
  return decoder(rgba, width, height, { inversionAttempts: "dontInvert" })?.data ?? null
}

/** A PNG as grey, read with a foreign decoder. */
export const greyOfPng = (bytes: Uint8Array): GreyPicture => {
  const { data, height, width } = PNG.sync.read(Buffer.from(bytes))
  const grey = new Uint8Array(width * height)
  for (let at = 0; at < grey.length; at++) grey[at] = data[at * 4] ?? 255
  return { width, height, data: grey }
}

/** The print of a thermal head: a dot or none. */
export const blackAndWhite = ({ data, height, width }: GreyPicture): GreyPicture => ({
  width,
  height,
  data: data.map((grey) => grey < 128 ? 0 : 255)
})
