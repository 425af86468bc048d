import type { Environment } from "../tenancy/Environment.ts"
import type { OrganizationId } from "../tenancy/identifiers.ts"
import type { BoundKey, Operation } from "./Operation.ts"

/** What a caller's key belongs to where that is no document: the advance case it opened, the delivery it asked for. */
export interface KeyOwner {
  readonly id: string
  readonly organizationId: OrganizationId
  readonly environment: Environment
  readonly boundKey: BoundKey
}

/** Everything that has a key. An organization's keys are one set, over both environments and all operations (Decisions §3). */
export type KeyHolder = Operation | KeyOwner

export const isDocument = (holder: KeyHolder): holder is Operation => "content" in holder
