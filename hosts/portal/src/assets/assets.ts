import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname } from "node:path"

/** A file that every page may use; its name changes with its bytes, so it is cached for ever. */
export interface Asset {
  readonly path: string
  readonly mediaType: string
  readonly bytes: Buffer
}

const assetOf = (name: string, mediaType: string, bytes: Buffer): Asset => {
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 16)
  return { path: `/assets/${digest}/${name}`, mediaType, bytes }
}

const asset = (file: string, mediaType: string): Asset => assetOf(file, mediaType, readFileSync(new URL(file, import.meta.url)))

const script = "text/javascript; charset=utf-8"

/** The library's own bundle for browsers, as its package has it. */
const passkeyLibrary = (): Asset => {
  const entry = createRequire(import.meta.url).resolve("@simplewebauthn/browser")
  return assetOf("simplewebauthn.js", script, readFileSync(`${dirname(entry)}/../dist/bundle/index.umd.min.js`))
}

/** The portal's own style sheet and icon, and what the pages with passkeys need; nothing is loaded from other servers. */
export const assets = {
  style: asset("style.css", "text/css; charset=utf-8"),
  icon: asset("icon.svg", "image/svg+xml"),
  passkeyLibrary: passkeyLibrary(),
  passkey: asset("passkey.js", script),
  token: asset("token.js", script),
  issue: asset("issue.js", script),
  status: asset("status.js", script)
} as const
