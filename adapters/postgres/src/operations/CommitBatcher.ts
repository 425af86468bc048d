import { StoreUnavailable } from "@overa/domain"
import { Cause, Effect, Exit, Fiber } from "effect"
import { PgFailure } from "../PgFailure.ts"

/** How many rows one statement may carry. */
const rowsPerStatement = 64
/** Most characters of one statement: a request may be a mebibyte, and 64 of them would be one message. */
const charactersPerStatement = 4 * 1_024 * 1_024
/**
 * While one statement is in flight, a second one is sent when this many rows have gathered, or after this long, so that a statement that hangs does
 * not delay the others.
 */
const rowsForSecond = 16
const millisForSecond = 20

interface Waiting<Item, Answer> {
  readonly item: Item
  readonly key: string
  readonly size: number
  readonly resume: (exit: Exit.Exit<Answer, PgFailure | StoreUnavailable>) => void
  timer: NodeJS.Timeout | undefined
  /** Cancels the statement that carries the row; undefined while the row is queued. */
  recall: (() => void) | undefined
  done: boolean
}

/** How a batcher commits: one item by a plain statement, several by one statement over all of them. */
export interface Commits<Item, Answer> {
  /** Two items with the same key never share a statement, because the second must see the result of the first. Also the order of locking. */
  readonly keyOf: (item: Item) => string
  /** About how many characters the item's row has. */
  readonly sizeOf: (item: Item) => number
  readonly one: (item: Item) => Effect.Effect<Answer, PgFailure | StoreUnavailable>
  /** Whether several items may share a statement at all; evaluated each time. */
  readonly mayShare: () => boolean
  /** Called when a caller is told that the outcome of its commit is not known. */
  readonly gaveUp: () => void
  /** One answer per item, in the items' order. */
  readonly many: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Answer>, PgFailure | StoreUnavailable>
}

const failureOf = (exit: Exit.Exit<unknown, unknown>): unknown =>
  Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined

// Rows may be retried one by one only if the server answered that the whole statement failed because of the content of a row. A statement that failed
// by a time-out or a lock would fail again for each of them.
const mayRetryAlone = (exit: Exit.Exit<unknown, unknown>): boolean => {
  const failure = failureOf(exit)
  return failure instanceof PgFailure && failure.committed === "no" && /^2[23]/.test(failure.sqlState ?? "")
}

/** How long a caller is kept waiting. */
export interface WaitLimits {
  /** Before its row is sent. Short enough that a statement sent at the last moment has its full time before the caller is answered. */
  readonly queuedMillis: number
  readonly altogetherMillis: number
}

/**
 * Adaptive micro-batching. A commit that finds nothing in flight is sent at once, alone, as a plain statement. Commits that arrive while a statement
 * is in flight are queued and share the next one. No caller is answered before its own commit is durable. A row that is queued too long, or whose
 * caller disconnects, is removed from the queue and never sent: its caller knows that nothing was stored.
 */
export class CommitBatcher<Item, Answer> {
  private readonly commits: Commits<Item, Answer>
  private readonly waitLimits: WaitLimits
  private readonly line: Array<Waiting<Item, Answer>> = []
  private inFlight = 0
  private scheduled = false
  private second: NodeJS.Timeout | undefined

  constructor(commits: Commits<Item, Answer>, waitLimits: WaitLimits) {
    this.commits = commits
    this.waitLimits = waitLimits
  }

  readonly submit = (item: Item): Effect.Effect<Answer, PgFailure | StoreUnavailable> =>
    Effect.suspend(() => (this.commits.mayShare() ? this.enqueue(item) : this.commits.one(item)))

  private enqueue(item: Item): Effect.Effect<Answer, PgFailure | StoreUnavailable> {
    const { keyOf, sizeOf } = this.commits
    const [key, size] = [keyOf(item), sizeOf(item)]
    return Effect.callback((resume) => {
      const waiting: Waiting<Item, Answer> = {
        item,
        key,
        size,
        resume: (exit) => resume(exit),
        timer: undefined,
        recall: undefined,
        done: false
      }
      waiting.timer = setTimeout(() => this.giveUp(waiting), this.waitLimits.queuedMillis)
      this.line.push(waiting)
      this.schedule()
      return Effect.sync(() => this.forget(waiting))
    })
  }

  private answer(waiting: Waiting<Item, Answer>, exit: Exit.Exit<Answer, PgFailure | StoreUnavailable>): void {
    if (waiting.done) return
    waiting.done = true
    clearTimeout(waiting.timer)
    waiting.resume(exit)
  }

  private giveUp(waiting: Waiting<Item, Answer>): void {
    const committed = waiting.recall === undefined ? "no" : "unknown"
    if (committed === "unknown") this.commits.gaveUp()
    this.answer(waiting, Exit.fail(new StoreUnavailable({
      committed,
      cause: new Error(waiting.recall !== undefined ? "The commit was not confirmed in time" : "The commit could not be sent in time")
    })))
    this.forget(waiting)
  }

  // When a caller disconnects before its row was sent, the row leaves the queue. A statement without any waiting caller is cancelled: if it still
  // waits for a connection it is not sent, otherwise the server is asked to cancel it.
  private forget(waiting: Waiting<Item, Answer>): void {
    waiting.done = true
    clearTimeout(waiting.timer)
    waiting.recall?.()
    const index = this.line.indexOf(waiting)
    if (index >= 0) this.line.splice(index, 1)
  }

  // Callers woken in the same turn of the event loop are queued first, whatever their socket: under load one turn is long.
  private schedule(): void {
    if (this.scheduled) return
    this.scheduled = true
    setImmediate(() => {
      this.scheduled = false
      while (this.mayLeave()) this.send(this.takeBatch())
      if (this.line.length > 0 && this.inFlight === 1) this.second ??= setTimeout(() => this.sendSecond(), millisForSecond)
    })
  }

  private mayLeave(): boolean {
    if (this.line.length === 0) return false
    return this.inFlight === 0 || (this.inFlight === 1 && this.line.length >= rowsForSecond)
  }

  private sendSecond(): void {
    this.second = undefined
    if (this.line.length > 0 && this.inFlight < 2) this.send(this.takeBatch())
  }

  private takeBatch(): Array<Waiting<Item, Answer>> {
    const head = this.line.shift()
    if (head === undefined) return []
    const batch = [head]
    const keys = new Set([head.key])
    let { size } = head
    for (let index = 0; index < this.line.length && batch.length < rowsPerStatement;) {
      const candidate = this.line[index]
      const added = candidate?.size ?? 0
      const joins = candidate !== undefined && !keys.has(candidate.key) && size + added <= charactersPerStatement
      if (!joins) {
        index += 1
        continue
      }
      size += added
      keys.add(candidate.key)
      batch.push(candidate)
      this.line.splice(index, 1)
    }
    return batch.sort((left, right) => (left.key < right.key ? -1 : 1))
  }

  private send(batch: ReadonlyArray<Waiting<Item, Answer>>): void {
    const [only, ...others] = batch
    if (only === undefined) return
    this.inFlight += 1
    const fiber = Effect.runFork(others.length === 0 ? this.sendOne(only) : this.sendMany(batch))
    const recall = () => {
      if (batch.every(({ done }) => done)) Effect.runFork(Fiber.interrupt(fiber))
    }
    for (const waiting of batch) this.markSent(waiting, recall)
    fiber.addObserver(() => {
      this.inFlight -= 1
      this.schedule()
    })
  }

  private markSent(waiting: Waiting<Item, Answer>, recall: () => void): void {
    if (waiting.done) return
    waiting.recall = recall
    clearTimeout(waiting.timer)
    waiting.timer = setTimeout(() => this.giveUp(waiting), this.waitLimits.altogetherMillis - this.waitLimits.queuedMillis)
  }

  private sendOne(waiting: Waiting<Item, Answer>): Effect.Effect<void> {
    const commit = Effect.suspend(() => this.commits.one(waiting.item))
    return Effect.map(Effect.exit(commit), (exit) => this.answer(waiting, exit))
  }

  // A caller that disconnected meanwhile was told that its row is unknown, so the row must not be sent once more.
  private sendEach(batch: ReadonlyArray<Waiting<Item, Answer>>): Effect.Effect<void> {
    return Effect.forEach(batch, (waiting) => (waiting.done ? Effect.void : this.sendOne(waiting)), { concurrency: 4, discard: true })
  }

  private sendMany(batch: ReadonlyArray<Waiting<Item, Answer>>): Effect.Effect<void> {
    const commit = Effect.suspend(() => this.commits.many(batch.map(({ item }) => item)))
    return Effect.flatMap(Effect.exit(commit), (exit) => {
      // A statement that could not even be written was not sent: its rows are tried one by one, so that only the faulty one fails.
      if (mayRetryAlone(exit) || Exit.hasDies(exit)) return this.sendEach(batch)
      return Effect.sync(() => {
        batch.forEach((waiting, index) => this.answer(waiting, Exit.map(exit, (answers) => answers[index] as Answer)))
      })
    })
  }
}
