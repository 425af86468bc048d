import { Secret, TOTP } from "otpauth"

/** The code that an authenticator app shows for a secret (Base32), at a time in milliseconds. */
export const totpCode = (secret: string, at = Date.now()): string => new TOTP({ secret: Secret.fromBase32(secret), algorithm: "SHA1", digits: 6, period: 30 }).generate({ timestamp: at })
