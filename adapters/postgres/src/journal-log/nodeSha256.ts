import { hash } from "node:crypto"

/** SHA-256 from Node, several times as fast as the portable one. */
export const nodeSha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(hash("sha256", bytes, "buffer"))
