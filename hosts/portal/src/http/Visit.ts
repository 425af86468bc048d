import type { Environment, MemberRole, OpenSession, OrganizationId, Permission, Person, Tenant, TryFrom } from "@overa/domain"
import type { Language, Say } from "../language/Language.ts"
import type { Form } from "./Form.ts"
import type { Place } from "./Place.ts"
import type { SetCookie } from "./Reply.ts"

/** One request as a page sees it. */
export interface Visit {
  readonly language: Language
  readonly say: Say
  /** The portal's address, for links in messages. */
  readonly origin: string
  /** Inside the place, where there is one. */
  readonly path: string
  /** The query as it was asked, with its question mark; empty without one. */
  readonly search: string
  /** The place that the address names; where it names none, a member's pages are shown where the person was last. */
  readonly place: Place | null
  /** Whether the address itself names the place. */
  readonly isPlaced: boolean
  readonly query: URLSearchParams
  readonly params: Readonly<Record<string, string>>
  /** Null for a GET. */
  readonly form: Form | null
  /** What the person had typed into a form of this page when the session had ended; it was not done. */
  readonly kept: Form | null
  /** Part of every form; proves that the form came from a page of this session (Decisions §13). */
  readonly proof: string
  /** Part of every form that asks for no secret: names the person whose page it is on, so that it can be given back after a session has ended. */
  readonly author: string
  readonly session: OpenSession | null
  /** The database was restored to an earlier point and the restore is not ended: nobody can issue. False where nobody is signed in. */
  readonly restoring: boolean
  readonly address: string
  /** The browser's own name of itself (User-Agent). */
  readonly device: string
  /** The origin of a sign-in attempt: the device's mark, where this browser has one. */
  readonly tryFrom: (email: string) => TryFrom
  /** The mark this browser gets when somebody has signed in. */
  readonly deviceMark: (email: string, nowMillis: number) => string
  /** The value of a cookie of the portal; empty when there is none. */
  readonly cookie: (name: SetCookie["name"]) => string
  /** Keeps sent data in the page itself until it is saved; opens only in the same session, for the same use. */
  readonly draft: {
    readonly seal: (use: string, text: string) => string
    readonly open: (use: string, sealed: string) => string | null
  }
}

/**
 * A request with a form of which only the headers are here: it says whether the body may come. No route serves it, because the session and the role may end while the body is
 * on its way, for half a minute.
 */
export interface Arrival extends Omit<Visit, "form"> {
  readonly form: "unread"
}

/** A visit of a person who is completely signed in. */
export interface PersonVisit extends Visit {
  readonly session: OpenSession
  readonly person: Person
  /** The actor for the activity log. */
  readonly actor: string
}

/** A visit to the pages of an organization. */
export interface MemberVisit extends PersonVisit {
  readonly place: Place
  readonly organizationId: OrganizationId
  readonly organizationName: string
  readonly role: MemberRole
  readonly environment: Environment
  readonly tenant: Tenant
  readonly may: (permission: Permission) => boolean
}
