import { OveraClient } from "@overa/client"
import type { SeededClient, SeededShop } from "@overa/sandbox"
import { setTimeout as pause } from "node:timers/promises"
import type { Ledger } from "./Ledger.ts"

/** A shop of the run: where it sells, its credentials, and the label that its goods carry. */
export interface SoakPlace {
  readonly name: "sandbox" | "production" | "other"
  readonly shop: SeededShop
  readonly label: string
  /** Null where the shop gets no events. */
  readonly webhooks: SeededClient | null
}

/** Chooses the host for each request, as a load balancer does. */
export type NextHost = () => string

/** No pause of a caller is longer here: callers who wait less than the contract says are the harder case. */
const longestPause = 5_000

/** A client that reaches the hosts in turn. */
export const clientThrough = (nextHost: NextHost, credential: Pick<SeededShop, "clientId" | "clientSecret">): OveraClient => {
  const somewhere = "http://balancer"
  return new OveraClient({
    baseUrl: somewhere,
    authUrl: `${somewhere}/oauth/token`,
    ...credential,
    surroundings: {
      fetch: (url, init) => fetch(url.replace(somewhere, nextHost()), init),
      wait: async (millis, signal) => pause(Math.min(millis, longestPause), undefined, signal === undefined ? {} : { signal })
    }
  })
}

/** A shop with its client and what it was told. */
export interface SoakShop extends SoakPlace {
  readonly client: OveraClient
  readonly ledger: Ledger
  /** Later events than this one are sent to its receiver. */
  readonly eventsFrom: number
}
