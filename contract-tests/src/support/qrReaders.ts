import { scanGrayBuffer } from "@undecaf/zbar-wasm"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader"
import { decodeQr, type GreyPicture } from "./decodeQr.ts"

const wasm = readFileSync(fileURLToPath(import.meta.resolve("zxing-wasm/reader/zxing_reader.wasm")))
prepareZXingModule({ overrides: { wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer } })

/** The result of reading a picture: the text of its QR code, or null. */
export type Reader = (picture: GreyPicture) => Promise<string | null>

const zbar: Reader = async ({ data, height, width }) => {
  const [symbol] = await scanGrayBuffer(Uint8Array.from(data).buffer, width, height)
  return symbol?.decode() ?? null
}

const zxing: Reader = async ({ data, height, width }) => {
  const rgba = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let at = 0; at < width * height; at++) rgba.fill(data[at] ?? 255, at * 4, at * 4 + 3)
  const [found] = await readBarcodes({ data: rgba, width, height } as Parameters<typeof readBarcodes>[0] & object, { formats: ["QRCode"] })
  return found?.isValid === true ? found.text : null
}

/** jsQR decides dark and light in squares of eight pixels; it gets the page at three positions, as a camera would see it. */
const jsQr: Reader = ({ data, height, width }) => {
  for (const above of [0, 3, 6]) {
    const text = decodeQr({ width, height: height - above, data: data.subarray(above * width) })
    if (text !== null) return Promise.resolve(text)
  }
  return Promise.resolve(null)
}

/** Three independent decoders; phones and scanners use related ones. */
export const qrReaders: Readonly<Record<string, Reader>> = { zbar, jsQR: jsQr, ZXing: zxing }
