import type { PortalStage } from "./portalStage.ts"

/** While `body` runs, the V-PFR signs the next document without an answer, and cannot be searched: the outcome stays unknown. */
export const whileNobodyKnows = async <A>({ desk: { simulator } }: PortalStage, body: () => Promise<A>): Promise<A> => {
  await simulator.addFault({ fault: "search-unavailable" })
  await simulator.addFault({ fault: "sign-then-reset", times: 1 })
  try {
    return await body()
  } finally {
    await simulator.clearFaults()
  }
}
