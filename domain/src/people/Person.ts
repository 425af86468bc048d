import type { DateTime, Redacted } from "effect"
import type { OrganizationId } from "../tenancy/identifiers.ts"
import type { MemberRole } from "./MemberRole.ts"

/** A role that a person has in an organization. */
export interface Membership {
  readonly organizationId: OrganizationId
  readonly organizationName: string
  readonly role: MemberRole
}

/** Somebody who signs in to the portal. */
export interface Person {
  readonly id: string
  /** Lower case; unique in the installation. */
  readonly email: string
  readonly name: string
  /** Printed as cashier of what the person issues in the portal; null until the person has chosen it. */
  readonly cashierName: string | null
  /**
   * Whether the address is known to be the person's own: an operator has given the password to the person, or the issuer has confirmed the address. An
   * account that was made by an invitation's link has an address that nobody has checked.
   */
  readonly addressProven: boolean
  /** The password was made for the person by an operator, who has seen it: nothing else is possible until the person has set another one. */
  readonly passwordGiven: boolean
  /** The last change of the password or of a second factor: devices that signed in before it are not known any more, and a sign-in that began before it opens no session. */
  readonly devicesSince: DateTime.Utc
  /** Whether the person is an operator of the installation, with a separate area of the portal (Decisions §13). */
  readonly operator: boolean
  /** An authenticator app (RFC 6238). */
  readonly hasAuthenticator: boolean
  readonly hasPasskey: boolean
  /** An authenticator app or a passkey. */
  readonly hasSecondFactor: boolean
  readonly memberships: ReadonlyArray<Membership>
}

/** The stored secrets that a sign-in is compared with; they never leave the use cases. */
export interface SignInSecrets {
  /** Argon2id in the PHC string format. */
  readonly passwordHash: Redacted.Redacted<string>
  /** The shared secret of the time-based second factor, Base32. */
  readonly totpSecret: Redacted.Redacted<string> | null
}

/** PASSWORD: the second factor has not been given yet, and nothing else is allowed. */
export type SessionStage = "PASSWORD" | "COMPLETE"

/** A session of the portal as its owner sees it. */
export interface PortalSession {
  /** Hex of SHA-256 of the cookie's value: nobody can use a session from a copy of the table. */
  readonly digest: string
  readonly personId: string
  readonly stage: SessionStage
  readonly createdAt: DateTime.Utc
  readonly seenAt: DateTime.Utc
  readonly address: string
  readonly device: string
}

/**
 * The characters of an address, ASCII alone (RFC 5321 without its quoted forms). Folding the case of other letters makes different addresses one: `K` of U+212A
 * becomes a plain `k`, and its owner would sign in as somebody else.
 */
const emailForm = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/
// Checked before the case is folded.
// oxlint-disable-next-line no-control-regex
const ascii = /^[\x00-\x7f]*$/

/** The e-mail address in the form in which it is stored and compared; null when the text is no address of ASCII characters. */
export const readEmail = (text: string): string | null => {
  const given = text.trim()
  const email = given.toLowerCase()
  return ascii.test(given) && email.length <= 254 && emailForm.test(email) ? email : null
}
