import { Identifiers } from "@overa/domain"
import { Clock, Effect, Layer } from "effect"
import { randomFillSync } from "node:crypto"

const pooled = 256

/** UUID version 7 (RFC 9562 §5.7): 48 bits of milliseconds, then 74 random bits; in order of time, so that indexes grow at one end. */
const uuidVersion7 = (millis: number, random: Uint8Array): string => {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(millis, 0, 6)
  bytes.set(random, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const hex = bytes.toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Identifiers of this service: UUID version 7 from the system's clock and secure randomness (Decisions §1). */
export const layerIdentifiers: Layer.Layer<Identifiers> = Layer.sync(Identifiers, () => {
  const pool = Buffer.alloc(10 * pooled)
  let next = pooled
  const random = (): Uint8Array => {
    if (next === pooled) {
      randomFillSync(pool)
      next = 0
    }
    const at = 10 * next++
    return pool.subarray(at, at + 10)
  }
  return Identifiers.of({ uuid: Effect.map(Clock.currentTimeMillis, (millis) => uuidVersion7(millis, random())) })
})
