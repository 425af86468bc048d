import { type KeyObject, randomBytes } from "node:crypto"
import { randomCode } from "../certificates/ElementRegister.ts"
import { keyPairNamed } from "../certificates/KeyStore.ts"
import type { DataDirectory } from "../DataDirectory.ts"
import type { EnvironmentName } from "../EnvironmentName.ts"

/**
 * One of the authority's cloud signers. Its UID ends in `O0`, as those observed in production do (V-PFR §3); the authority's sandbox has signed as `Dt1Ov1o0`
 * since 2021, with small letters.
 */
export interface Signer {
  readonly uid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** Of several signers of the sandbox every second has small letters, so that nobody relies on capitals. */
const newUid = (environment: EnvironmentName, index: number): string =>
  environment === "sandbox" && index % 2 === 1 ? `${randomCode(1)}${randomCode(5).toLowerCase()}o0` : `${randomCode(6)}O0`

const signerUids = async (directory: DataDirectory, environment: EnvironmentName, count: number): Promise<ReadonlyArray<string>> => {
  const file = `signers-${environment}.json`
  const kept: ReadonlyArray<string> = JSON.parse(await directory.read(file) ?? "[]")
  if (kept.length >= count) return kept.slice(0, count)
  const uids = [...kept, ...Array.from({ length: count - kept.length }, (_, index) => newUid(environment, kept.length + index))]
  await directory.write(file, JSON.stringify(uids))
  return uids
}

/** An environment's signers, the same after every restart. */
export const openSigners = async (
  directory: DataDirectory,
  environment: EnvironmentName,
  count: number
): Promise<ReadonlyArray<Signer>> => {
  const uids = await signerUids(directory, environment, count)
  return Promise.all(uids.map(async (uid) => ({ uid, ...(await keyPairNamed(directory, `${environment}-signer-${uid}`)) })))
}

/** The modulus in lower-case hex, the form in which published signer keys are given (V-PFR §7.4). */
export const modulusHex = (key: KeyObject): string =>
  Buffer.from(key.export({ format: "jwk" }).n ?? "", "base64url").toString("hex")

/** 256 in every real answer; the layout allows 512 (V-PFR §3, §7.1). */
export type InternalDataBytes = 256 | 512

/** The counters RSA-encrypted for the authority: nobody else can read them, so random bytes suffice (V-PFR §7.4). */
export const opaqueInternalData = (bytes: InternalDataBytes): Buffer => randomBytes(bytes)
