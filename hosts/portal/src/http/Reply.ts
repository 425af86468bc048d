import type { Readable } from "node:stream"
import type { Asset } from "../assets/assets.ts"
import type { Html } from "../html/el.ts"

/** A cookie to set; null removes it. */
export interface SetCookie {
  readonly name: "session" | "device" | "issuer" | "language" | "kept"
  readonly value: string | null
  /** Absent: until the browser closes. */
  readonly maxAgeSeconds?: number
}

/** The answer of a page. */
export type Reply = { readonly cookies?: ReadonlyArray<SetCookie> } & (
  | {
    readonly _tag: "Page"
    readonly status: number
    readonly title: string
    readonly content: Html
    /** In this order; other pages may run none. */
    readonly scripts: ReadonlyArray<Asset>
    /** With status 429: how long to wait. */
    readonly retryAfterSeconds?: number
  }
  /** The browser is redirected to a page of the portal, or to the issuer where people sign in; always with GET. */
  | { readonly _tag: "Redirect"; readonly to: string }
  | {
    readonly _tag: "File"
    readonly bytes: Uint8Array | string | Readable
    readonly mediaType: string
    readonly fileName: string
    /** Shown inside a page instead of downloaded. */
    readonly inline: boolean
    readonly cacheControl?: string
  }
)

export const page = (title: string, content: Html, status = 200, scripts: ReadonlyArray<Asset> = []): Reply => ({ _tag: "Page", status, title, content, scripts })

/** The page that tells somebody who tried too often to wait (RFC 6585 §4). */
export const slowedDown = (reply: Reply, retryAfterSeconds: number): Reply => reply._tag === "Page" ? { ...reply, status: 429, retryAfterSeconds } : reply

export const redirect = (to: string, cookies: ReadonlyArray<SetCookie> = []): Reply => ({ _tag: "Redirect", to, cookies })

/** A path of this portal from a browser's text; any other text gives the start page. */
export const localPath = (text: string): string => /^\/(?![/\\])[\w\-./?=&%~]*$/.test(text) ? text : "/"

/** The same answer, which sets one cookie more. */
export const withCookie = (reply: Reply, cookie: SetCookie): Reply => ({ ...reply, cookies: [...reply.cookies ?? [], cookie] })
