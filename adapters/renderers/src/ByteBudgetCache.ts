/**
 * The most recently used values, up to a budget of bytes. A value larger than a quarter of the budget is not kept, because it would evict everything
 * else.
 */
export class ByteBudgetCache {
  readonly #entries = new Map<string, Uint8Array>()
  readonly #budget: number
  #used = 0

  constructor(budget: number) {
    this.#budget = budget
  }

  get(key: string): Uint8Array | undefined {
    const found = this.#entries.get(key)
    if (found === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, found)
    return found
  }

  set(key: string, bytes: Uint8Array): void {
    if (bytes.length > this.#budget / 4 || this.#entries.has(key)) return
    this.#entries.set(key, bytes)
    this.#used += bytes.length
    for (const [oldest, value] of this.#entries) {
      if (this.#used <= this.#budget) return
      this.#entries.delete(oldest)
      this.#used -= value.length
    }
  }

  get usedBytes(): number {
    return this.#used
  }
}
