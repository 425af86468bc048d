import type { ReadQrCode } from "../check/GivenFile.ts"
import { readQrCode, useQrReader } from "../read/readQrCode.ts"

/** Pixels of the longer side: enough for a code of 120 modules, and few enough for a telephone's memory. */
const longestSide = 3_000
/** The size for a drawing that has none of its own. */
const usualSide = 1_000

let isPrepared = false

const prepare = (): void => {
  if (isPrepared) return
  const encoded = document.getElementById("qr-reader")?.textContent ?? ""
  useQrReader(Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0)).buffer)
  isPrepared = true
}

const isDrawing = (bytes: Uint8Array): boolean => bytes[0] === 0x3c || bytes[0] === 0x20 || bytes[0] === 0x0a || bytes[0] === 0xef

/** The picture as the browser shows it. An image element runs no program in a drawing. */
const opened = async (url: string): Promise<HTMLImageElement> => {
  const image = new Image()
  image.src = url
  await image.decode()
  return image
}

const pixelsOf = (image: HTMLImageElement): ImageData | null => {
  const [width, height] = [image.naturalWidth || usualSide, image.naturalHeight || usualSide]
  const longer = Math.max(width, height)
  const scale = longer > longestSide ? longestSide / longer : longer < usualSide / 2 ? usualSide / longer : 1
  const canvas = document.createElement("canvas")
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  const context = canvas.getContext("2d")
  if (context === null) return null
  context.imageSmoothingEnabled = scale < 1
  context.fillStyle = "#fff"
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return context.getImageData(0, 0, canvas.width, canvas.height)
}

/** Reads the QR code of any picture this browser can show. */
export const qrCodeOfPicture: ReadQrCode = async (bytes) => {
  prepare()
  const url = URL.createObjectURL(new Blob([Uint8Array.from(bytes)], isDrawing(bytes) ? { type: "image/svg+xml" } : {}))
  try {
    const pixels = pixelsOf(await opened(url))
    return pixels === null ? null : await readQrCode(pixels)
  } finally {
    URL.revokeObjectURL(url)
  }
}
