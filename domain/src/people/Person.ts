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
  /** People of the installation, with an area of their own (Decisions §13). */
  readonly operator: boolean
  readonly hasSecondFactor: boolean
  readonly memberships: ReadonlyArray<Membership>
}

/** What signing in compares with; never leaves the use cases. */
export interface SignInSecrets {
  /** Argon2id in the PHC string format. */
  readonly passwordHash: Redacted.Redacted<string>
  /** The shared secret of the time-based second factor, Base32. */
  readonly totpSecret: Redacted.Redacted<string> | null
}

/** PASSWORD: the second factor is still to come, and nothing else is allowed. */
export type SessionStage = "PASSWORD" | "COMPLETE"

/** A session of the portal as its owner sees it. */
export interface PortalSession {
  /** Hex of SHA-256 of the cookie's value: a copy of the table contains no session. */
  readonly digest: string
  readonly personId: string
  readonly stage: SessionStage
  readonly createdAt: DateTime.Utc
  readonly seenAt: DateTime.Utc
  readonly address: string
  readonly device: string
}

/** The e-mail address as it is stored and compared; null when it is none. */
export const readEmail = (text: string): string | null => {
  const email = text.trim().toLowerCase()
  return email.length <= 254 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+\.[^\s@.\p{Cc}]+$/u.test(email) ? email : null
}
