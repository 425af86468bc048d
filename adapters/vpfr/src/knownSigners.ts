import { createPublicKey } from "node:crypto"
import type { Environment, ReferenceKey } from "@overa/domain"
import type { VpfrConnectionOptions } from "./VpfrConnection.ts"

type Keys = ReadonlyArray<Pick<ReferenceKey, "environment" | "kind" | "name" | "pem">>

/** The public RSA moduli of an environment's known signers by their JID, as the domain's verification takes them (V-PFR §7.4). */
export const signerModuli = (keys: Keys, environment: Environment): ReadonlyMap<string, bigint> =>
  new Map(
    keys.filter((key) => key.kind === "SIGNER" && key.environment === environment).map((key) => {
      const { n } = createPublicKey(key.pem).export({ format: "jwk" })
      return [key.name, BigInt(`0x${Buffer.from(n ?? "", "base64url").toString("hex")}`)]
    })
  )

/** The environments with the signers that an operator has recorded: their receipts' signatures are then verified. */
export const withKnownSigners = (
  environments: VpfrConnectionOptions["environments"],
  keys: Keys
): VpfrConnectionOptions["environments"] => {
  const known = Object.entries(environments).map(([name, environment]) => {
    return [name, { ...environment, signerModuli: signerModuli(keys, name as Environment) }] as const
  })
  return Object.fromEntries(known)
}
