import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import type { ReadQrCode } from "../check/GivenFile.ts"
import { readQrCode, useQrReader } from "../read/readQrCode.ts"

// A source file is in its package; the built command has it in the same folder.
const program = (): URL =>
  import.meta.url.endsWith(".ts") ? new URL(import.meta.resolve("zxing-wasm/reader/zxing_reader.wasm")) : new URL("./zxing_reader.wasm", import.meta.url)

let prepared: Promise<void> | null = null

const prepare = async (): Promise<void> => useQrReader(Uint8Array.from(await readFile(fileURLToPath(program()))).buffer)

/** Reads the QR code of a picture in a file: PNG, JPEG, GIF, BMP. */
export const qrCodeOfFile: ReadQrCode = async (bytes) => {
  prepared ??= prepare()
  await prepared
  return readQrCode(Uint8Array.from(bytes))
}
