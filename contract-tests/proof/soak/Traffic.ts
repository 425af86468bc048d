import { setTimeout as pause } from "node:timers/promises"
import { type Errand, errands } from "./errands.ts"
import type { SoakShop } from "./SoakShop.ts"

/** No more errands wait at once; while so many do, none is begun. */
const mostAtOnce = 300

const everyShare = errands.flatMap((errand) => Array.from({ length: errand.share }, () => errand))

/** Begins errands at a steady rate, however long each takes. */
export class Traffic {
  begun = 0
  /** Errands that were not begun, because too many waited. */
  heldBack = 0
  private readonly shops: ReadonlyArray<SoakShop>
  private readonly perSecond: number
  private readonly waiting = new Set<Promise<void>>()
  private readonly closing = new AbortController()
  /** Ends what waits for an answer that does not come. */
  private readonly over = new AbortController()

  constructor(shops: ReadonlyArray<SoakShop>, perSecond: number) {
    this.shops = shops
    this.perSecond = perSecond
  }

  get underway(): number {
    return this.waiting.size
  }

  async run(): Promise<void> {
    const started = performance.now()
    while (!this.closing.signal.aborted) {
      const due = Math.floor(((performance.now() - started) / 1_000) * this.perSecond)
      while (this.begun + this.heldBack < due) this.begin()
      await pause(20)
    }
  }

  /** Begins nothing new, and waits until what was begun has its answers. */
  async close(withinMillis: number): Promise<void> {
    this.closing.abort()
    const late = pause(withinMillis, undefined, { ref: false })
    await Promise.race([late, Promise.all(this.waiting)])
    this.over.abort(new Error("the run is over"))
    await Promise.race([pause(5_000, undefined, { ref: false }), Promise.all(this.waiting)])
  }

  private begin(): void {
    if (this.waiting.size >= mostAtOnce) {
      this.heldBack += 1
      return
    }
    const shop = this.shops[this.begun % this.shops.length]
    // A step that has no common divisor with the number of shares visits all of them, in no visible order.
    const errand = everyShare[(this.begun * 37) % everyShare.length]
    this.begun += 1
    if (shop === undefined || errand === undefined) return
    const working = this.work(shop, errand).finally(() => this.waiting.delete(working))
    this.waiting.add(working)
  }

  private async work(shop: SoakShop, { family, run }: Errand): Promise<void> {
    const began = performance.now()
    try {
      await run(shop, this.over.signal)
      shop.ledger.finished(family, performance.now() - began)
    } catch (error) {
      if (this.over.signal.aborted) shop.ledger.unanswered += 1
      else shop.ledger.wrong.push(`${shop.name}: ${family}: ${error instanceof Error ? `${error.name} ${error.message}` : String(error)}`)
    }
  }
}
