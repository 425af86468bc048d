/** What a host carries at once. */
export interface Capacity {
  /** Requests under way, the ones that wait for the V-PFR included. */
  readonly requests: number
  /** Bytes of their bodies; a sale takes some ten times its body in memory. */
  readonly bodyBytes: number
  /** Bytes of answers that are not out yet: callers who read slowly keep them in memory. */
  readonly answerBytes: number
}

interface Held {
  requests: number
  bodyBytes: number
  answerBytes: number
}

/** A request that was let in. */
export interface Admitted {
  /** Whether the body may have so many bytes; asked before the body is read, and again while one of unknown length grows. */
  readonly body: (bytes: number) => boolean
  /** Whether an answer of so many bytes may wait until its caller has read it. Call at most once. */
  readonly answer: (bytes: number) => boolean
  /** Call once, when the request's work is done and its answer is out. */
  readonly leave: () => void
}

/**
 * Who may bring how much into the host. One organization may hold as much as is free beside it: alone half of the capacity, two of them a
 * third each. Some capacity is always left for the next one, so that the requests of one cannot close the host to the others, and what the host
 * holds in memory is bounded whoever asks (Choudhury and Hahne, Dynamic Queue Length Thresholds, 1998).
 */
export class Admission {
  private readonly capacity: Capacity
  private readonly used: Held = { requests: 0, bodyBytes: 0, answerBytes: 0 }
  private readonly holders = new Map<string, Held>()

  constructor(capacity: Capacity) {
    this.capacity = capacity
  }

  /** Null when the holder has as many requests under way as it may. */
  enter(holder: string): Admitted | null {
    const held = this.holders.get(holder) ?? { requests: 0, bodyBytes: 0, answerBytes: 0 }
    if (!this.fits("requests", held, 1)) return null
    this.holders.set(holder, held)
    this.hold("requests", held, 1)
    let bodyBytes = 0
    let answerBytes = 0
    return {
      body: (bytes) => {
        const more = bytes - bodyBytes
        if (more > 0 && !this.fits("bodyBytes", held, more)) return false
        if (more > 0) {
          this.hold("bodyBytes", held, more)
          bodyBytes = bytes
        }
        return true
      },
      answer: (bytes) => {
        if (!this.fits("answerBytes", held, bytes)) return false
        this.hold("answerBytes", held, bytes)
        answerBytes = bytes
        return true
      },
      leave: () => {
        this.hold("requests", held, -1)
        this.hold("bodyBytes", held, -bodyBytes)
        this.hold("answerBytes", held, -answerBytes)
        if (held.requests === 0) this.holders.delete(holder)
      }
    }
  }

  private fits(what: keyof Held, held: Held, more: number): boolean {
    const free = this.capacity[what] - this.used[what]
    // The first of a holder needs room alone: a file of products may be larger than half of what all bodies may have.
    return held[what] === 0 ? more <= free : held[what] + more <= free
  }

  private hold(what: keyof Held, held: Held, more: number): void {
    held[what] += more
    this.used[what] += more
  }
}
