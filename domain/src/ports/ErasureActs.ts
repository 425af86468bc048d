import { Context, type Effect } from "effect"
import type { Act } from "../activity/Activity.ts"
import type { OrganizationId } from "../tenancy/identifiers.ts"
import type { PersonActRefused } from "./People.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

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
