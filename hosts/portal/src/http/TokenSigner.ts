import { createHmac, timingSafeEqual } from "node:crypto"
import { deviceMarkMillis, type KnownDevice } from "@overa/domain"
import { digestOf, newToken } from "@overa/host-kit"
import { Redacted } from "effect"

const same = (one: string, other: string): boolean => {
  const a = Buffer.from(one)
  const b = Buffer.from(other)
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The name of a marked browser in the database: nobody makes a mark of it. */
export const deviceOfMark = (mark: string): string => digestOf(mark.slice(0, mark.indexOf(".")))

/** Signs the tokens of forms and of known devices with a key that only this installation has. */
export class TokenSigner {
  private readonly key: Redacted.Redacted<Uint8Array>
  private readonly keys: ReadonlyArray<Redacted.Redacted<Uint8Array>>

  /** Tokens are signed with `key`; those signed with a former key are still accepted. */
  constructor(key: Redacted.Redacted<Uint8Array>, formerKeys: ReadonlyArray<Redacted.Redacted<Uint8Array>> = []) {
    this.key = key
    this.keys = [key, ...formerKeys]
  }

  private keyed(use: string, text: string, key = this.key): string {
    return createHmac("sha256", Redacted.value(key)).update(`portal ${use} ${text}`, "utf8").digest("base64url")
  }

  private isKeyed(use: string, text: string, given: string): boolean {
    return this.keys.some((key) => same(this.keyed(use, text, key), given))
  }

  /** The proof in the forms of a session. */
  proof(sessionDigest: string): string {
    return this.keyed("form", sessionDigest)
  }

  isProof(sessionDigest: string, given: string): boolean {
    return this.isKeyed("form", sessionDigest, given)
  }

  /** The mark of a browser in which this person has signed in; a browser that has one already keeps its id. */
  device(email: string, nowMillis: number, former = ""): string {
    const id = this.knownDevice(email, former, nowMillis) === null ? newToken() : former.slice(0, former.indexOf("."))
    return this.dated(email, id, nowMillis.toString(36))
  }

  private dated(email: string, id: string, at: string): string {
    return `${id}.${at}.${this.keyed("device", `${email} ${id} ${at}`)}`
  }

  /** The device where the mark belongs to this person and is not too old; null for any other. */
  knownDevice(email: string, mark: string, nowMillis: number): KnownDevice | null {
    const [id = "", at = "", keyed = ""] = mark.split(".", 3)
    const markedAtMillis = Number.parseInt(at, 36)
    if (id === "" || !this.isKeyed("device", `${email} ${id} ${at}`, keyed) || nowMillis - markedAtMillis > deviceMarkMillis) return null
    return { id: deviceOfMark(mark), markedAtMillis }
  }
}
