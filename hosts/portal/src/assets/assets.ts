import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"

/** A file that every page may use; its name changes with its bytes, so it is cached for ever. */
export interface Asset {
  readonly path: string
  readonly mediaType: string
  readonly bytes: Buffer
}

const asset = (file: string, mediaType: string): Asset => {
  const bytes = readFileSync(new URL(file, import.meta.url))
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 16)
  return { path: `/assets/${digest}/${file}`, mediaType, bytes }
}

/** The portal's own style sheet and icon; nothing is loaded from other servers. */
export const assets = {
  style: asset("style.css", "text/css; charset=utf-8"),
  icon: asset("icon.svg", "image/svg+xml")
} as const
