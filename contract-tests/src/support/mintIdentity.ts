import { randomBytes } from "node:crypto"

/** A fresh UUID of version 7, in lower case: generated ones repeat special values and would collide in a shared store. */
export const mintUuid = (): string => {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
}

/** A fresh idempotency key. */
export const mintKey = (): string => `key-${randomBytes(12).toString("hex")}`
