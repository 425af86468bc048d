import { Context, type DateTime, type Effect } from "effect"
import type { Act, ActRefused } from "../activity/Activity.ts"
import type { DeliverySettings } from "../delivery/DeliverySettings.ts"
import type { NotedChange } from "../events/notedChange.ts"
import type { AttentionItem } from "../operations/Operation.ts"
import type { TakeBack } from "../restore/planTakeBack.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { OrganizationId, SecurityElementId, TaxpayerId } from "../tenancy/identifiers.ts"
import type { PersonActRefused } from "./People.ts"
import type { PersonMail } from "./PersonMails.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** The attention list and the activity log. Both only grow; an item is acknowledged, never removed. */
export class RecordActs extends Context.Service<RecordActs, {
  /**
   * With the last open item of `doubtKinds` about a document the doubt ends, in the same commit: the document is again what the store says, and may be
   * sent again where that says so.
   */
  readonly acknowledge: (act: Act, attentionId: string) => Effect.Effect<void, ActRefused | StoreUnavailable>
  /**
   * Puts an element on the list, notes its change and writes the message to the organization's owners in the same commit; false, and nothing is told,
   * when an item of this kind already exists for it.
   */
  readonly raiseAboutElement: (
    element: { readonly organizationId: OrganizationId; readonly elementId: SecurityElementId; readonly environment: Environment },
    item: AttentionItem,
    told: { readonly change: NotedChange | null; readonly ownersMail: Pick<PersonMail, "subject" | "text"> | null }
  ) => Effect.Effect<boolean, StoreUnavailable>
  /** Writes an act that no other commit carries, e.g. that an operator opened data. What an operator does to a document goes with its commit (`OperatorsDeed`). */
  readonly record: (
    act: Act,
    deed: { readonly organizationId: OrganizationId | null; readonly act: string; readonly subject: string; readonly after: string }
  ) => Effect.Effect<void, StoreUnavailable>
}>()("@overa/domain/ports/RecordActs") {}

/** How receipts are sent to buyers, and the erasure of a buyer's address. Every act is one commit together with its line in the activity log: who, what, before, after, why. */
export class DeliveryActs extends Context.Service<DeliveryActs, {
  /** With `seen`, refused as `CHANGED_MEANWHILE` when the stored settings differ from it. */
  readonly changeDelivery: (
    act: Act,
    organizationId: OrganizationId,
    taxpayerId: TaxpayerId,
    settings: DeliverySettings,
    seen?: DeliverySettings
  ) => Effect.Effect<void, ActRefused | StoreUnavailable>
  /**
   * Erases a buyer's address from an organization's deliveries that are no longer queued and at least that many days old (Decisions §15); every
   * address where `recipient` is null. Answers from how many. The activity log records the erasure without the address.
   */
  readonly eraseRecipient: (
    act: Act,
    organizationId: OrganizationId,
    erased: { readonly recipient: string | null; readonly olderThanDays: number }
  ) => Effect.Effect<number, StoreUnavailable>
}>()("@overa/domain/ports/DeliveryActs") {}

/**
 * The turn of taking everything of an organization along: one at a time for each organization, over all hosts. A turn whose holder says nothing for
 * `leavingTurnMinutes` is over.
 */
export class LeavingActs extends Context.Service<LeavingActs, {
  /**
   * Takes the turn, in one commit with its line in the activity log and the message to the owners, before anything is read; answers the turn, or until when
   * another one's lasts.
   */
  readonly begin: (act: Act, organizationId: OrganizationId) => Effect.Effect<{ readonly turn: string } | { readonly takenUntil: DateTime.Utc }, ActRefused | StoreUnavailable>
  /** Makes the turn last from now on; false where it is over. */
  readonly goOn: (organizationId: OrganizationId, turn: string) => Effect.Effect<boolean, StoreUnavailable>
  /** Gives the turn back. `after` is the line in the activity log of what was taken whole; null where it was not. */
  readonly end: (act: Act, organizationId: OrganizationId, turn: string, after: Readonly<Record<string, number>> | null) => Effect.Effect<void, StoreUnavailable>
}>()("@overa/domain/ports/LeavingActs") {}

/** An operator's acts on the journal's log. Every act is one commit together with its line in the activity log. */
export class JournalActs extends Context.Service<JournalActs, {
  /** A new key signs from the next checkpoint on; earlier keys stay known to verifiers. Answers its verifier key. */
  readonly rotateKey: (act: Act) => Effect.Effect<string, ActRefused | StoreUnavailable>
}>()("@overa/domain/ports/JournalActs") {}

/**
 * The result for an item that was to be restored. `KNOWN`: its receipt is stored, or all its attempts are. `ATTEMPT_PUT_BACK`: the document is stored,
 * and now also the attempts that it was without, so that they are searched for. `KEPT`: the attempts of a document that the service makes of another
 * one are kept, and put into it as soon as it is there and may be sent. `KEY_HELD`: only its key can be, and is, held. `UNRESOLVED`: the document is
 * stored, but its outcome is still unknown, and the item does not say what to search for. `UNSIGNED`: it may have a receipt that the database does not
 * know, and would be sent again; where the document is stored and still has no such receipt when the restore is ended, a person is told on the attention
 * list. `KEY_TAKEN`: another operation has its key.
 */
export type PutBack = "PUT_BACK" | "ATTEMPT_PUT_BACK" | "KEPT" | "KNOWN" | "KEY_HELD" | "UNRESOLVED" | "UNSIGNED" | "KEY_TAKEN"

/**
 * The declaration that the database was restored to an earlier point in time. While it is set nothing is issued, in either environment: running hosts
 * notice it within two seconds. Every act is one commit together with its line in the activity log. Source: Decisions §15.
 */
export class RestoreActs extends Context.Service<RestoreActs, {
  /** Refused where a restore is declared already. */
  readonly begin: (act: Act, since: DateTime.Utc) => Effect.Effect<void, ActRefused | StoreUnavailable>
  /**
   * Stores an operation or a key again that the restore lost, or the attempts that the restore lost of a stored operation, whatever its status. The
   * state after several items does not depend on their order. Refused if no restore is declared.
   */
  readonly putBack: (act: Act, taken: Exclude<TakeBack, { readonly _tag: "Nothing" }>) => Effect.Effect<PutBack, ActRefused | StoreUnavailable>
  /**
   * Holds the keys of the documents that were not restored themselves, and puts on the attention list those of which a receipt was kept that they do not
   * have. Refused where none is declared.
   */
  readonly end: (act: Act) => Effect.Effect<void, ActRefused | StoreUnavailable>
  /** The time since which receipts may be missing; null where no restore is declared. */
  readonly since: Effect.Effect<DateTime.Utc | null, StoreUnavailable>
}>()("@overa/domain/ports/RestoreActs") {}

/**
 * Erasure of personal data outside the signed record, on request. Every act is one commit together with its line in the activity log, which records
 * the erasure without the data. Source: Decisions §15.
 */
export class ErasureActs extends Context.Service<ErasureActs, {
  /**
   * Erases metadata and the cashier's name from the requests of an organization's documents that are FISCALIZED, REJECTED or NOT_FISCALIZED, in the
   * journal's log, and last moved at least that many days ago: of one `clientReference`, or of all where it is null. The log stays verifiable
   * (docs/adr/0114). Several commits, each with its line in the activity log; a repetition erases what is left.
   *
   * Answers from how many documents data was erased, and how many have rows that cannot be read: those stay as they are, and `journal verify` names them.
   */
  readonly eraseRequestData: (
    act: Act,
    organizationId: OrganizationId,
    erased: { readonly clientReference: string | null; readonly olderThanDays: number }
  ) => Effect.Effect<{ readonly erased: number; readonly unreadable: number }, StoreUnavailable>
  /**
   * Erases the company register's details of a buyer from an organization's documents that are not in flight and last moved at least that many days
   * ago; of all buyers where `buyerId` is null. Answers from how many. The buyer's id is part of the signed record and stays.
   */
  readonly eraseBuyerDetails: (
    act: Act,
    organizationId: OrganizationId,
    erased: { readonly buyerId: string | null; readonly olderThanDays: number }
  ) => Effect.Effect<number, StoreUnavailable>
  /**
   * Erases a person of the portal: address, name, password, second factor, sessions and invitations. Refused while the person has a role in an
   * organization. The activity log keeps what it says of the person.
   */
  readonly erasePerson: (act: Act, email: string) => Effect.Effect<void, PersonActRefused | StoreUnavailable>
}>()("@overa/domain/ports/ErasureActs") {}
