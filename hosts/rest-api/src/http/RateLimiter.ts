/** Requests per second that a credential may send continuously, and how many it may send at once. */
export interface RateLimit {
  readonly perSecond: number
  readonly burst: number
}

export interface RateDecision {
  readonly allowed: boolean
  readonly remaining: number
  readonly retryAfterSeconds: number
}

interface Bucket {
  tokens: number
  filledAt: number
}

/** Work already done makes a credential wait no longer than this. */
const longestDebtSeconds = 5

/** Above this number of buckets, those that are full again are removed. */
const rememberedCredentials = 10_000

/** A token bucket per credential: one caller's flood never makes another caller wait (Decisions §1, RATE_LIMITED). */
export class RateLimiter {
  private readonly buckets = new Map<string, Bucket>()
  readonly limit: RateLimit

  constructor(limit: RateLimit) {
    this.limit = limit
  }

  take(credential: string, nowMillis: number): RateDecision {
    const bucket = this.bucket(credential, nowMillis)
    bucket.tokens = this.tokensOf(bucket, nowMillis)
    bucket.filledAt = nowMillis
    if (bucket.tokens < 1) {
      const wait = (1 - bucket.tokens) / this.limit.perSecond
      return { allowed: false, remaining: 0, retryAfterSeconds: Math.max(1, Math.ceil(wait)) }
    }
    bucket.tokens -= 1
    return { allowed: true, remaining: Math.floor(bucket.tokens), retryAfterSeconds: 0 }
  }

  /**
   * Work beyond an ordinary request's, known only after admission: deducted from the credential's future requests, at most as many as it may send in
   * `longestDebtSeconds`.
   */
  charge(credential: string, requests: number): void {
    const bucket = this.buckets.get(credential)
    if (bucket !== undefined) bucket.tokens = Math.max(-longestDebtSeconds * this.limit.perSecond, bucket.tokens - requests)
  }

  private bucket(credential: string, nowMillis: number): Bucket {
    const known = this.buckets.get(credential)
    if (known !== undefined) return known
    if (this.buckets.size >= rememberedCredentials) this.removeFull(nowMillis)
    const bucket = { tokens: this.limit.burst, filledAt: nowMillis }
    this.buckets.set(credential, bucket)
    return bucket
  }

  /** With what was earned since the bucket was filled. */
  private tokensOf({ filledAt, tokens }: Bucket, nowMillis: number): number {
    return Math.min(this.limit.burst, tokens + Math.max(0, nowMillis - filledAt) / 1_000 * this.limit.perSecond)
  }

  private removeFull(nowMillis: number): void {
    for (const [credential, bucket] of this.buckets) {
      if (this.tokensOf(bucket, nowMillis) >= this.limit.burst) this.buckets.delete(credential)
    }
  }
}
