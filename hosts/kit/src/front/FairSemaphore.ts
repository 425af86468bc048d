import { performance as loop } from "node:perf_hooks"
import { CallerLeft } from "./readBody.ts"

/** How many may work at once, and how many may wait. */
export interface GateSize {
  readonly places: number
  /** How many requests of one holder may wait; more are refused. */
  readonly waitingEach: number
  /** How many requests of all holders together may wait. */
  readonly waitingTogether: number
  /** How much longer than its work a place then rests: 3 leaves three quarters of the time to everything else. Default 0. */
  readonly rest?: number
  /** How long work took, in milliseconds of this clock. Default the time of day; `loopMillis` for work that mostly waits for others. */
  readonly clock?: () => number
}

const dayMillis = (): number => performance.now()

/** How long the event loop has been busy since the process started, in milliseconds: waiting for a database or a process does not count. */
export const loopMillis = (): number => loop.eventLoopUtilization().active

type Leave = () => void
type Start = (leave: Leave) => void

/**
 * Limits work that would delay others. Who waits is let in by holder in turn, not by arrival: the one drawing of a shop stands behind
 * one of every other shop, however many of theirs wait.
 */
export class FairSemaphore {
  private readonly size: GateSize
  private busy = 0
  private waiting = 0
  /** In the order in which the holders' turns come. */
  private readonly lines = new Map<string, Array<Start>>()

  constructor(size: GateSize) {
    this.size = size
  }

  /**
   * Resolves when it is the holder's turn, with what to call when the work is over; null when too many wait. Rejects with `CallerLeft` when `gone` aborts
   * before that: a caller that has left takes nobody's place.
   */
  enter(holder: string, gone?: AbortSignal): Promise<Leave> | null {
    if (gone?.aborted === true) return Promise.reject(new CallerLeft())
    if (this.busy < this.size.places && this.waiting === 0) return Promise.resolve(this.begin())
    const line = this.lines.get(holder) ?? []
    if (line.length >= this.size.waitingEach || this.waiting >= this.size.waitingTogether) return null
    this.lines.set(holder, line)
    this.waiting += 1
    return new Promise((resolve, reject) => {
      const leaveLine = (): void => {
        this.forget(holder, start)
        reject(new CallerLeft())
      }
      const start: Start = (leave) => {
        gone?.removeEventListener("abort", leaveLine)
        resolve(leave)
      }
      line.push(start)
      gone?.addEventListener("abort", leaveLine, { once: true })
    })
  }

  private forget(holder: string, start: Start): void {
    const line = this.lines.get(holder)
    line?.splice(line.indexOf(start), 1)
    if (line?.length === 0) this.lines.delete(holder)
    this.waiting -= 1
  }

  private begin(): Leave {
    this.busy += 1
    const clock = this.size.clock ?? dayMillis
    const from = clock()
    return () => {
      const restMillis = (clock() - from) * (this.size.rest ?? 0)
      if (restMillis < 1) setImmediate(() => this.next())
      else setTimeout(() => this.next(), restMillis)
    }
  }

  private next(): void {
    this.busy -= 1
    const [turn] = this.lines
    if (turn === undefined) return
    const [holder, line] = turn
    const start = line.shift()
    // Behind all others, or with nobody left: the next turn is another's.
    this.lines.delete(holder)
    if (line.length > 0) this.lines.set(holder, line)
    if (start === undefined) return
    this.waiting -= 1
    start(this.begin())
  }
}
