import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader"

let prepared: Promise<void> | undefined

const prepare = async (): Promise<void> => {
  const program = await readFile(fileURLToPath(import.meta.resolve("zxing-wasm/reader/zxing_reader.wasm")))
  prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(program).buffer } })
}

/** A picture as a file, or as dots: red, green, blue and opacity, one byte each. */
export type Picture = Uint8Array | { readonly width: number; readonly height: number; readonly data: Uint8ClampedArray<ArrayBuffer> }

/** The texts of all QR codes in a picture. */
export const readQrCodes = async (picture: Picture): Promise<ReadonlyArray<string>> => {
  prepared ??= prepare()
  await prepared
  const given = picture instanceof Uint8Array ? Uint8Array.from(picture) : { colorSpace: "srgb" as const, pixelFormat: "rgba-unorm8" as const, ...picture }
  const found = await readBarcodes(given, { formats: ["QRCode"], tryHarder: true })
  return found.filter(({ isValid }) => isValid).map(({ text }) => text)
}
