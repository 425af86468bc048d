import type { Admission, FairSemaphore } from "@overa/host-kit"
import type { Effect, Exit } from "effect"
import type { PortalServices } from "../layers.ts"
import type { Address } from "./cookies.ts"
import type { TokenSigner } from "./TokenSigner.ts"
import type { SealedDrafts } from "./SealedDrafts.ts"

/** What every route shares. */
export interface PortalContext {
  readonly address: Address
  readonly signer: TokenSigner
  readonly drafts: SealedDrafts
  readonly run: <A, E>(effect: Effect.Effect<A, E, PortalServices>) => Promise<Exit.Exit<A, E>>
  /** Limits requests in flight and the bytes of their forms, by network. */
  readonly admission: Admission
  /** Limits forms of people who are not signed in, by network: comparing a password costs 20 MB and 30 ms of a core. */
  readonly strangers: FairSemaphore
  readonly log: (event: string, facts: Readonly<Record<string, unknown>>) => void
}
