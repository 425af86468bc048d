import type { TokenKey } from "@overa/domain"
import { Redacted } from "effect"
import { SignJWT } from "jose"
import { createPrivateKey, generateKeyPairSync, randomUUID } from "node:crypto"
import type { MintedClaims } from "../http/ApiTarget.ts"

const pair = () => generateKeyPairSync("rsa", { modulusLength: 2048 })

/** Makes tokens that the token endpoint never issues: expired, for another audience, signed with a foreign key. */
export const makeTokenMint = (ours: { readonly issuer: string; readonly audience: string }) => {
  const own = pair()
  const foreign = pair()
  const kid = randomUUID()
  const { e, kty, n } = own.publicKey.export({ format: "jwk" })
  const tokenKey: TokenKey = {
    kid,
    privateKey: Redacted.make(own.privateKey.export({ type: "pkcs8", format: "pem" }).toString()),
    publicJwk: { kty: String(kty), n: String(n), e: String(e) },
    retiredAt: null
  }
  const mint = (claims: MintedClaims): Promise<string> => {
    const now = Math.floor(Date.now() / 1_000)
    const body = {
      org_id: claims.organizationId,
      ...(claims.environment === null ? {} : { svc_env: claims.environment }),
      scope: claims.scope ?? "",
      azp: claims.clientId
    }
    return new SignJWT(body)
      .setProtectedHeader({ alg: "RS256", kid })
      .setIssuer(claims.issuer ?? ours.issuer)
      .setAudience(claims.audience ?? ours.audience)
      .setSubject(claims.clientId)
      .setIssuedAt(now)
      .setExpirationTime(now + (claims.expiresInSeconds ?? 300))
      .sign(createPrivateKey((claims.key === "foreign" ? foreign : own).privateKey.export({ type: "pkcs8", format: "pem" })))
  }
  return { tokenKey, mint }
}
