import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { greyOfPng } from "./decodeQr.ts"

// OVERA_UPDATE_GOLDEN=1 stores the current drawings; look at every file before committing it (golden/README.md).
const updating = process.env["OVERA_UPDATE_GOLDEN"] === "1"

const pathOf = (name: string): string => fileURLToPath(new URL(`../../golden/${name}`, import.meta.url))

/** The golden file's bytes; while updating, it becomes `drawn` first. */
const goldenBytes = (name: string, drawn: Uint8Array): Uint8Array => {
  const path = pathOf(name)
  if (updating) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, drawn)
  }
  if (!existsSync(path)) throw new Error(`golden file ${name} is missing; see golden/README.md`)
  return readFileSync(path)
}

/** The golden text; `drawn` must be equal to it. */
export const goldenText = (name: string, drawn: string): string =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(goldenBytes(name, new TextEncoder().encode(drawn)))

/** Where the picture first differs from the golden one, pixel for pixel; null when it is equal. */
export const pictureDifference = (name: string, drawn: Uint8Array): string | null => {
  const golden = greyOfPng(goldenBytes(name, drawn))
  const picture = greyOfPng(drawn)
  if (picture.width !== golden.width || picture.height !== golden.height) {
    return `${picture.width} × ${picture.height} instead of ${golden.width} × ${golden.height} pixels`
  }
  const at = picture.data.findIndex((grey, index) => grey !== golden.data[index])
  return at === -1 ? null : `pixel ${at % picture.width}, ${Math.floor(at / picture.width)}`
}
