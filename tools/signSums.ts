import { createPrivateKey, sign } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Signs the checksums of a release with an Ed25519 key (PEM), into `SHA256SUMS.sig`; openssl verifies it with the public key. */
export const signSums = (folder: string, keyFile: string): void => {
  const key = createPrivateKey(readFileSync(keyFile))
  if (key.asymmetricKeyType !== "ed25519") throw new Error(`${keyFile} holds a key of the kind ${key.asymmetricKeyType}; releases are signed with Ed25519`)
  writeFileSync(join(folder, "SHA256SUMS.sig"), sign(null, readFileSync(join(folder, "SHA256SUMS")), key))
}
