import { createCipheriv, createHmac, hash, pbkdf2Sync, randomBytes, type KeyObject } from "node:crypto"
import forge from "node-forge"
import { bmpString, explicit, implicit, integer, nullValue, objectIdentifier, octetString, sequence, setOf } from "./der.ts"

/**
 * How the file is encrypted. `3des` is what the tax authority's portal hands out and Node can read; `rc2-40` is the
 * Windows export that OpenSSL 3 refuses without its legacy provider (V-PFR §1.5); `modern` is PBES2 with AES-256.
 */
export type PfxFlavour = "modern" | "3des" | "rc2-40"

export interface PfxContents {
  readonly privateKey: KeyObject
  /** Leaf first, then its issuers, in DER. */
  readonly certificates: ReadonlyArray<Uint8Array>
  readonly friendlyName: string
  readonly password: string
  readonly flavour: PfxFlavour
}

interface Encrypted {
  readonly algorithm: Buffer
  readonly bytes: Buffer
}

type Encrypt = (plain: Uint8Array, password: string) => Encrypted

const iterations = 2048
const dataType = "1.2.840.113549.1.7.1"
const encryptedDataType = "1.2.840.113549.1.7.6"

const repeatTo = (bytes: Uint8Array, block: number): Buffer => {
  const length = block * Math.ceil(bytes.length / block)
  return Buffer.alloc(length, bytes)
}

/** RFC 7292, appendix B.2. `purpose` is 1 for a key, 2 for an initial vector, 3 for a MAC key. */
const derive = (algorithm: "sha1" | "sha256", purpose: number, password: string, salt: Uint8Array, length: number): Buffer => {
  const block = 64
  const secret = Buffer.from(`${password}\0`, "utf16le").swap16()
  let state = Buffer.concat([repeatTo(salt, block), repeatTo(secret, block)])
  const output: Array<Buffer> = []
  for (let produced = 0; produced < length;) {
    let digest = hash(algorithm, Buffer.concat([Buffer.alloc(block, purpose), state]), "buffer")
    for (let round = 1; round < iterations; round++) digest = hash(algorithm, digest, "buffer")
    output.push(digest)
    produced += digest.length
    state = addToEveryBlock(state, repeatTo(digest, block).subarray(0, block))
  }
  return Buffer.concat(output).subarray(0, length)
}

const addToEveryBlock = (state: Buffer, addend: Buffer): Buffer<ArrayBuffer> => {
  const modulus = 1n << BigInt(8 * addend.length)
  const increment = BigInt(`0x${addend.toString("hex")}`) + 1n
  const blocks: Array<Buffer> = []
  for (let at = 0; at < state.length; at += addend.length) {
    const sum = (BigInt(`0x${state.subarray(at, at + addend.length).toString("hex")}`) + increment) % modulus
    blocks.push(Buffer.from(sum.toString(16).padStart(2 * addend.length, "0"), "hex"))
  }
  return Buffer.concat(blocks)
}

const passwordBased = (type: string, salt: Uint8Array): Buffer =>
  sequence(objectIdentifier(type), sequence(octetString(salt), integer(iterations)))

const tripleDes: Encrypt = (plain, password) => {
  const salt = randomBytes(8)
  const cipher = createCipheriv("des-ede3-cbc", derive("sha1", 1, password, salt, 24), derive("sha1", 2, password, salt, 8))
  const bytes = Buffer.concat([cipher.update(plain), cipher.final()])
  return { algorithm: passwordBased("1.2.840.113549.1.12.1.3", salt), bytes }
}

/** OpenSSL 3 has no RC2 outside its legacy provider, so the one cipher comes from node-forge. */
const rc2With40Bits: Encrypt = (plain, password) => {
  const salt = randomBytes(8)
  const bytesOf = (buffer: Uint8Array) => forge.util.createBuffer(Buffer.from(buffer).toString("latin1"))
  const { rc2 } = forge as unknown as { readonly rc2: Rc2 }
  const cipher = rc2.createEncryptionCipher(bytesOf(derive("sha1", 1, password, salt, 5)), 40)
  cipher.start(bytesOf(derive("sha1", 2, password, salt, 8)))
  cipher.update(bytesOf(plain))
  cipher.finish()
  return { algorithm: passwordBased("1.2.840.113549.1.12.1.6", salt), bytes: Buffer.from(cipher.output.getBytes(), "latin1") }
}

interface Rc2 {
  createEncryptionCipher(key: forge.util.ByteStringBuffer, bits: number): {
    start(iv: forge.util.ByteStringBuffer): void
    update(input: forge.util.ByteStringBuffer): void
    finish(): boolean
    readonly output: forge.util.ByteStringBuffer
  }
}

const aes256: Encrypt = (plain, password) => {
  const salt = randomBytes(16)
  const iv = randomBytes(16)
  const cipher = createCipheriv("aes-256-cbc", pbkdf2Sync(password, salt, iterations, 32, "sha256"), iv)
  const bytes = Buffer.concat([cipher.update(plain), cipher.final()])
  const derivation = sequence(
    objectIdentifier("1.2.840.113549.1.5.12"),
    sequence(octetString(salt), integer(iterations), sequence(objectIdentifier("1.2.840.113549.2.9"), nullValue))
  )
  const scheme = sequence(objectIdentifier("2.16.840.1.101.3.4.1.42"), octetString(iv))
  return { algorithm: sequence(objectIdentifier("1.2.840.113549.1.5.13"), sequence(derivation, scheme)), bytes }
}

const flavours: Record<PfxFlavour, { readonly key: Encrypt; readonly certificates: Encrypt; readonly mac: "sha1" | "sha256" }> = {
  "modern": { key: aes256, certificates: aes256, mac: "sha256" },
  "3des": { key: tripleDes, certificates: tripleDes, mac: "sha1" },
  "rc2-40": { key: tripleDes, certificates: rc2With40Bits, mac: "sha1" }
}

const macIdentifiers = { sha1: "1.3.14.3.2.26", sha256: "2.16.840.1.101.3.4.2.1" } as const

const bagAttributes = (friendlyName: string): Buffer =>
  setOf(
    sequence(objectIdentifier("1.2.840.113549.1.9.21"), setOf(octetString(Buffer.from([1])))),
    sequence(objectIdentifier("1.2.840.113549.1.9.20"), setOf(bmpString(friendlyName)))
  )

const certificateBag = (certificate: Uint8Array, attributes: ReadonlyArray<Buffer>): Buffer => {
  const value = sequence(objectIdentifier("1.2.840.113549.1.9.22.1"), explicit(0, octetString(certificate)))
  return sequence(objectIdentifier("1.2.840.113549.1.12.10.1.3"), explicit(0, value), ...attributes)
}

const encryptedContent = (plain: Uint8Array, encrypt: Encrypt, password: string): Buffer => {
  const { algorithm, bytes } = encrypt(plain, password)
  const info = sequence(objectIdentifier(dataType), algorithm, implicit(0, bytes))
  return sequence(objectIdentifier(encryptedDataType), explicit(0, sequence(integer(0), info)))
}

const plainContent = (bytes: Uint8Array): Buffer => sequence(objectIdentifier(dataType), explicit(0, octetString(bytes)))

/** A PKCS#12 file (RFC 7292) with one key, its certificate and the issuing chain, as the taxpayer downloads it. */
export const pfxFile = (contents: PfxContents): Buffer => {
  const { password, privateKey, certificates, friendlyName } = contents
  const flavour = flavours[contents.flavour]
  const attributes = bagAttributes(friendlyName)
  const shrouded = flavour.key(privateKey.export({ type: "pkcs8", format: "der" }), password)
  const keyBag = sequence(
    objectIdentifier("1.2.840.113549.1.12.10.1.2"),
    explicit(0, sequence(shrouded.algorithm, octetString(shrouded.bytes))),
    attributes
  )
  const certificateBags = certificates.map((der, index) => certificateBag(der, index === 0 ? [attributes] : []))
  const authenticated = sequence(
    encryptedContent(sequence(...certificateBags), flavour.certificates, password),
    plainContent(sequence(keyBag))
  )
  const salt = randomBytes(8)
  const macKey = derive(flavour.mac, 3, password, salt, flavour.mac === "sha1" ? 20 : 32)
  const digest = createHmac(flavour.mac, macKey).update(authenticated).digest()
  const digestInfo = sequence(sequence(objectIdentifier(macIdentifiers[flavour.mac]), nullValue), octetString(digest))
  return sequence(integer(3), plainContent(authenticated), sequence(digestInfo, octetString(salt), integer(iterations)))
}
