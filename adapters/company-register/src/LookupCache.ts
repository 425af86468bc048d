import type { BuyerDetails } from "@overa/domain"
import type { Option } from "effect"
import { LRUCache } from "lru-cache"

/** How long each kind of answer is kept, in milliseconds. */
export interface CacheTimes {
  readonly found: number
  readonly notFound: number
  /** After a failure no request asks the register for this long, so that a register that is down is not asked for every receipt. */
  readonly failed: number
}

export const defaultCacheTimes: CacheTimes = { found: 24 * 3_600_000, notFound: 3_600_000, failed: 30_000 }

interface Entry {
  readonly details: Option.Option<BuyerDetails>
  readonly until: number
}

/** The last answers of the register; the least recently used one is evicted first. */
export class LookupCache {
  private readonly entries: LRUCache<string, Entry>

  constructor(capacity: number) {
    this.entries = new LRUCache({ max: capacity })
  }

  /** What is still valid at `now`, epoch milliseconds. */
  get(taxIdentifier: string, now: number): Option.Option<BuyerDetails> | undefined {
    const entry = this.entries.get(taxIdentifier)
    return entry !== undefined && entry.until > now ? entry.details : undefined
  }

  set(taxIdentifier: string, details: Option.Option<BuyerDetails>, until: number): void {
    this.entries.set(taxIdentifier, { details, until })
  }
}
