import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader"

type Picture = Parameters<typeof readBarcodes>[0]

/** Gives the reader its program, so that it never loads one from the network. */
export const useQrReader = (program: ArrayBuffer): void => {
  prepareZXingModule({ overrides: { wasmBinary: program } })
}

/** The text of a picture's QR code, the first one that can be read; null where there is none. */
export const readQrCode = async (picture: Picture): Promise<string | null> => {
  const found = await readBarcodes(picture, { formats: ["QRCode"], tryHarder: true })
  return found.find(({ isValid }) => isValid)?.text ?? null
}
