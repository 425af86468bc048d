import { Context, type DateTime, type Effect, type Option, type Redacted, Schema } from "effect"
import type { GuessKey } from "../people/guessingPause.ts"
import type { MemberRole } from "../people/MemberRole.ts"
import type { Person, PortalSession, SessionStage, SignInSecrets } from "../people/Person.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { OrganizationId } from "../tenancy/identifiers.ts"
import type { PersonMail } from "./PersonMails.ts"
import type { IssuerAccount, IssuerAccountTaken } from "./SignInIssuer.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"
import type { Act } from "../activity/Activity.ts"

/** An act on people that contradicts the stored state; nothing was changed. */
export class PersonActRefused extends Schema.TaggedError<PersonActRefused>()("PersonActRefused", {
  reason: Schema.Literals([
    "PERSON_ALREADY_EXISTS",
    "PERSON_NOT_FOUND",
    "PERSON_HAS_ROLE",
    "INVITATION_NOT_USABLE",
    "RESET_NOT_USABLE",
    "MEMBER_ALREADY_EXISTS",
    "MEMBER_NOT_FOUND",
    "LAST_OWNER"
  ])
}) {}

/** A person to be added with a password. */
export interface NewPerson {
  readonly email: string
  readonly name: string
  readonly operator: boolean
  readonly passwordHash: Redacted.Redacted<string>
  /** The operator has seen the password: the person must set another one. */
  readonly passwordGiven?: boolean
}

/** What a new session rests on. A sign-in takes a while: what was checked may be over when its session is opened. */
export type SessionBasis =
  /** The first factor, compared with the account as it was then: its `devicesSince`. This browser's former session, `replaces`, ends in the same commit. */
  | { readonly checked: DateTime.Utc; readonly replaces: string | null }
  /** An open session of the same person, which ends in the same commit. Where it was complete, the new one began when it did: 12 hours are counted from the sign-in. */
  | { readonly continues: string }

/** Nothing was opened: the basis of the session is over. The person signs in again. */
export class SessionRefused extends Schema.TaggedError<SessionRefused>()("SessionRefused", {}) {}

/** A session to be opened. */
export interface NewSession {
  readonly digest: string
  readonly personId: string
  readonly stage: SessionStage
  readonly at: DateTime.Utc
  readonly address: string
  readonly device: string
  readonly basis: SessionBasis
  /** The browser that is marked with this complete sign-in. */
  readonly deviceId?: string
  /** The person has not signed in on this device before, and gets a message, in the same commit. */
  readonly isNewDevice?: boolean
}

/** A session with everything a request needs to know. */
export interface OpenSession {
  readonly session: PortalSession
  readonly person: Person
  /** Where the person was last as a member; null until a place is chosen. It gives no right. */
  readonly organizationId: OrganizationId | null
  readonly environment: Environment | null
  /** The organization for whose data the operator has given a reason in this session (Decisions §13); null before. */
  readonly openedOrganizationId: OrganizationId | null
}

/** An invitation as the organization's Owner sees it. */
export interface InvitationEntry {
  readonly id: string
  readonly organizationId: OrganizationId
  readonly organizationName: string
  readonly email: string
  readonly role: MemberRole
  readonly invitedBy: string
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
  /** Whoever has its link has the mailbox, or is known to the operator. False for links of an earlier release, which the inviter has seen. */
  readonly provesAddress: boolean
}

/**
 * The people of the portal. Every change is one commit with its line in the activity log; where a mail server is configured, what concerns an account's security also
 * with a message to the person.
 *
 * @example
 * const found = yield* people.findByEmail("ana@example.rs")
 */
export class People extends Context.Service<People, {
  readonly find: (id: string) => Effect.Effect<Option.Option<Person>, StoreUnavailable>
  readonly findByEmail: (
    email: string
  ) => Effect.Effect<Option.Option<{ readonly person: Person; readonly secrets: SignInSecrets }>, StoreUnavailable>
  /** An operator adds the person and hands over the password: the address counts as proven. */
  readonly add: (act: Act, person: NewPerson) => Effect.Effect<string, PersonActRefused | StoreUnavailable>
  /** Ends every session of the person but `keep` (Decisions §13). */
  readonly changePassword: (
    act: Act,
    id: string,
    passwordHash: Redacted.Redacted<string>,
    keep: string | null,
    /** See `NewPerson`. */
    passwordGiven?: boolean
  ) => Effect.Effect<void, PersonActRefused | StoreUnavailable>
  /**
   * Notes that the address is the person's own. Of an account that was not proven, everything that somebody else may have set ends in the same commit: password,
   * second factors, passkeys, sessions. `passwordHash` is the new password; null leaves the person without one. Does nothing to a proven account without a new password.
   */
  readonly proveAddress: (
    act: Act,
    id: string,
    passwordHash: Redacted.Redacted<string> | null,
    passwordGiven?: boolean
  ) => Effect.Effect<void, PersonActRefused | StoreUnavailable>
  /** Removing or demoting the last Owner is refused. Removal ends the person's sessions in this organization. */
  readonly changeRole: (
    act: Act,
    organizationId: OrganizationId,
    person: string,
    role: MemberRole | null
  ) => Effect.Effect<void, PersonActRefused | StoreUnavailable>
}>()("@overa/domain/ports/People") {}

/** Accounts at the issuer with which people sign in. An address changes hands; an account there does not. */
export class IssuerAccounts extends Context.Service<IssuerAccounts, {
  /** The person of an account at the issuer. */
  readonly find: (account: Pick<IssuerAccount, "issuer" | "subject">) => Effect.Effect<Option.Option<Person>, StoreUnavailable>
  /**
   * Notes, at the first sign-in, that this account at the issuer is the person's. Refused where the person has another account there, or the account is another
   * person's. One commit with its line in the activity log and a message to the person.
   */
  readonly link: (
    act: Act,
    personId: string,
    account: Pick<IssuerAccount, "issuer" | "subject">
  ) => Effect.Effect<void, IssuerAccountTaken | PersonActRefused | StoreUnavailable>
}>()("@overa/domain/ports/IssuerAccounts") {}

/** The names that receipts issued in the portal print as their cashiers. */
export class CashierNames extends Context.Service<CashierNames, {
  /** Keeps the name that the person has chosen; one commit with its line in the activity log. */
  readonly choose: (act: Act, personId: string, cashierName: string) => Effect.Effect<void, PersonActRefused | StoreUnavailable>
}>()("@overa/domain/ports/CashierNames") {}

/** One session of the portal, found by the digest of its cookie. */
export class PortalSessions extends Context.Service<PortalSessions, {
  /**
   * Refused in one commit with the look at its basis: where the password or a second factor was changed, every device was forgotten or the person was erased since the first factor
   * was compared, and where the session that it continues has ended or is another person's.
   */
  readonly open: (session: NewSession) => Effect.Effect<void, SessionRefused | StoreUnavailable>
  /** Also finds a session that has expired: the caller checks it with `isAlive`. */
  readonly find: (digest: string) => Effect.Effect<Option.Option<OpenSession>, StoreUnavailable>
  readonly seen: (digest: string, at: DateTime.Utc) => Effect.Effect<void, StoreUnavailable>
  /** Notes where the person is as a member. */
  readonly lookAt: (digest: string, organizationId: OrganizationId, environment: Environment) => Effect.Effect<void, StoreUnavailable>
  /** Notes that the operator has given a reason for the organization's data, after the reason is in its activity log. It takes the place of the one before. */
  readonly openFor: (digest: string, organizationId: OrganizationId) => Effect.Effect<void, StoreUnavailable>
  readonly end: (digest: string) => Effect.Effect<void, StoreUnavailable>
}>()("@overa/domain/ports/PortalSessions") {}

/** The forms that were sent: one that is sent twice acts once, also where the person's session has ended in between and the form was given back. */
export class SentForms extends Context.Service<SentForms, {
  /** True the first time that the person sends the form, in whichever session; the claim outlives the session. */
  readonly claim: (session: Pick<PortalSession, "digest" | "personId">, formId: string, at: DateTime.Utc) => Effect.Effect<boolean, StoreUnavailable>
}>()("@overa/domain/ports/SentForms") {}

/** All sessions of one person. */
export class PersonSessions extends Context.Service<PersonSessions, {
  /** Ends all of the person's sessions but `keep`; answers how many. One commit with its line in the activity log. */
  readonly endOthers: (act: Act, personId: string, keep: string) => Effect.Effect<number, PersonActRefused | StoreUnavailable>
  /** Ends one of the person's own sessions, in one commit with its line in the activity log; false where it is none of them, or over already. */
  readonly endOne: (act: Act, personId: string, digest: string) => Effect.Effect<boolean, PersonActRefused | StoreUnavailable>
  /** Ends every session, and no device is known any more: the next sign-in on each is one on a new device. One commit with its line in the activity log. */
  readonly endAll: (act: Act, personId: string) => Effect.Effect<void, PersonActRefused | StoreUnavailable>
  /** Newest first; only those not ended. */
  readonly ofPerson: (personId: string) => Effect.Effect<ReadonlyArray<PortalSession>, StoreUnavailable>
}>()("@overa/domain/ports/PersonSessions") {}

/** A browser on which a person has signed in completely, as the person sees it. */
export interface PersonDevice {
  readonly id: string
  /** The browser's own name of itself (User-Agent), and the address, at the last sign-in. */
  readonly description: string
  readonly address: string
  readonly firstUsedAt: DateTime.Utc
  readonly lastUsedAt: DateTime.Utc
}

/** The known devices of a person: each has a count of its own for wrong passwords and codes, and no message tells of a sign-in on it. */
export class PersonDevices extends Context.Service<PersonDevices, {
  /** The last used first. */
  readonly ofPerson: (personId: string) => Effect.Effect<ReadonlyArray<PersonDevice>, StoreUnavailable>
  /** Whether the person has forgotten the device since its mark was made. */
  readonly isForgotten: (personId: string, device: { readonly id: string; readonly markedAtMillis: number }) => Effect.Effect<boolean, StoreUnavailable>
  /** One device is not known any more, and its sessions end but `keep`; false where it is none of the person's. One commit with its line in the activity log. */
  readonly forget: (act: Act, personId: string, deviceId: string, keep: string) => Effect.Effect<boolean, PersonActRefused | StoreUnavailable>
  /** No device is known any more, and every session ends but `keep`. One commit with its line in the activity log. */
  readonly forgetAll: (act: Act, personId: string, keep: string) => Effect.Effect<void, PersonActRefused | StoreUnavailable>
}>()("@overa/domain/ports/PersonDevices") {}

/** How an attempt begins. */
export interface BegunGuess {
  /** To wait before the next attempt; 0 where this one was counted and may be checked. */
  readonly pauseMillis: number
  /** The throttle of the longest pause; null without one. */
  readonly throttle: GuessKey["throttle"] | null
}

/** The protection of passwords and codes against guessing and reuse. */
export class SignInAttempts extends Context.Service<SignInAttempts, {
  /** Counts an attempt under every key as failed before it is checked. Where a pause is running under one of them, nothing is counted. */
  readonly beginGuess: (keys: ReadonlyArray<GuessKey>, at: DateTime.Utc) => Effect.Effect<BegunGuess, StoreUnavailable>
  /** Forgets every failed attempt under the key. */
  readonly forgetGuesses: (key: string) => Effect.Effect<void, StoreUnavailable>
  /** Takes one attempt out of the count: it was right. */
  readonly takeBackGuess: (key: string) => Effect.Effect<void, StoreUnavailable>
  /**
   * Writes a line of the activity log about a wrong code. In the same commit `SECOND_FACTOR_GUESSED` is raised once the account's key has as many failed
   * attempts as are free; one item is open at a time.
   */
  readonly noteWrongCode: (
    personId: string,
    from: string,
    account: GuessKey
  ) => Effect.Effect<void, PersonActRefused | StoreUnavailable>
  /** True when this time step was not used before: a code that somebody else saw cannot be used again (RFC 6238 §5.2). */
  readonly useTimeStep: (id: string, step: number) => Effect.Effect<boolean, StoreUnavailable>
}>()("@overa/domain/ports/SignInAttempts") {}

/** Forgotten passwords: a mailed link, single use, an hour; a newer one replaces an older one, and a changed password ends it. */
export class PasswordResets extends Context.Service<PasswordResets, {
  /** The message goes to the queue in the same commit. */
  readonly begin: (
    act: Act,
    reset: { readonly personId: string; readonly tokenDigest: string; readonly expiresAt: DateTime.Utc },
    mail: PersonMail
  ) => Effect.Effect<void, PersonActRefused | StoreUnavailable>
  /** The person of a link that can still be used. */
  readonly find: (tokenDigest: string, at: DateTime.Utc) => Effect.Effect<Option.Option<Person>, StoreUnavailable>
  /**
   * Uses the link. Every session ends; second factors stay, and are asked for at the next sign-in. An account whose address was not proven begins anew, as by
   * `proveAddress`: whoever has the link has the mailbox.
   */
  readonly finish: (
    tokenDigest: string,
    passwordHash: Redacted.Redacted<string>,
    at: DateTime.Utc
  ) => Effect.Effect<void, PersonActRefused | StoreUnavailable>
}>()("@overa/domain/ports/PasswordResets") {}

/** An invitation to be stored: only the digest of its link's token is. */
export interface NewInvitation {
  readonly email: string
  readonly role: MemberRole
  readonly tokenDigest: string
  readonly at: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

/** Invitations: single use, 72 hours (Decisions §13). Withdrawing or replacing one takes its message out of the queue. */
export class Invitations extends Context.Service<Invitations, {
  readonly invite: (
    act: Act,
    invitation: NewInvitation & { readonly organizationId: OrganizationId },
    /** Goes to the queue in the same commit; null where the operator hands the link over. */
    mail: PersonMail | null
  ) => Effect.Effect<void, PersonActRefused | StoreUnavailable>
  /** Open ones, newest first. */
  readonly ofOrganization: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<InvitationEntry>, StoreUnavailable>
  /** One that can still be used. */
  readonly find: (tokenDigest: string, at: DateTime.Utc) => Effect.Effect<Option.Option<InvitationEntry>, StoreUnavailable>
  readonly withdraw: (act: Act, organizationId: OrganizationId, id: string) => Effect.Effect<void, PersonActRefused | StoreUnavailable>
  /**
   * Uses the invitation and gives the role, to an existing person or to a new one; answers the person's id. An account whose address was not proven begins anew
   * with `newcomer`, as by `proveAddress`, where the invitation proves the address.
   */
  readonly accept: (
    act: Act,
    tokenDigest: string,
    newcomer: Pick<NewPerson, "name" | "passwordHash"> | null,
    at: DateTime.Utc
  ) => Effect.Effect<string, PersonActRefused | StoreUnavailable>
}>()("@overa/domain/ports/Invitations") {}
