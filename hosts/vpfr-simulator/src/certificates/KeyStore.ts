import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto"
import { promisify } from "node:util"
import type { DataDirectory } from "../DataDirectory.ts"

export interface KeyPair {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

const generate = promisify(generateKeyPair)

/** RSA-2048 with e = 65537, the size and exponent of the real signers (V-PFR §7.4). Runs on the thread pool. */
export const generateRsaKeyPair = (): Promise<KeyPair> => generate("rsa", { modulusLength: 2048, publicExponent: 65537 })

/** The key pair kept under a name, generated on first use: a second start need not wait for the generation of keys. */
export const keyPairNamed = async (directory: DataDirectory, name: string): Promise<KeyPair> => {
  const file = `keys/${name}.pem`
  const kept = await directory.read(file)
  if (kept !== null) {
    const privateKey = createPrivateKey(kept)
    return { privateKey, publicKey: createPublicKey(privateKey) }
  }
  const pair = await generateRsaKeyPair()
  await directory.write(file, pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString())
  return pair
}
