import { createHash, randomBytes } from "node:crypto"

/** A new token for a cookie or a link: 256 random bits. */
export const newToken = (): string => randomBytes(32).toString("base64url")

/** The digest under which a token is stored: nobody can use a token from a copy of the table. */
export const digestOf = (token: string): string => createHash("sha256").update(token, "utf8").digest("hex")
