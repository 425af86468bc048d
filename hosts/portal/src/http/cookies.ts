import type { SetCookie } from "./Reply.ts"

/** The portal's address, and what follows from it for its cookies. */
export interface Address {
  /** Without a final slash. */
  readonly origin: string
  readonly secure: boolean
}

// Over plain http on the loopback a browser accepts no Secure cookie (Decisions §17).
const nameOf = (address: Address, name: SetCookie["name"]): string => address.secure ? `__Host-overa-${name}` : `overa-${name}`

/** A cookie of ours; empty when there is none. */
export const readCookie = (address: Address, header: string, name: SetCookie["name"]): string => {
  const wanted = `${nameOf(address, name)}=`
  const found = header.split(";").map((part) => part.trim()).find((part) => part.startsWith(wanted))
  return found === undefined ? "" : found.slice(wanted.length)
}

/** The header that sets it. */
export const writeCookie = (address: Address, { maxAgeSeconds, name, value }: SetCookie): string =>
  [
    `${nameOf(address, name)}=${value ?? ""}`,
    "Path=/",
    "HttpOnly",
    "SameSite=Lax",
    ...(address.secure ? ["Secure"] : []),
    ...(value === null ? ["Max-Age=0"] : maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`])
  ].join("; ")
