import { StoreUnavailable } from "@overa/domain"
import { Cause, Effect, Exit } from "effect"
import { PgFailure } from "../PgFailure.ts"

/** How many rows one statement may carry. */
const rowsPerStatement = 64
/** What one statement may carry in characters: a request may be a mebibyte, and 64 of them would be one message. */
const charactersPerStatement = 4 * 1_024 * 1_024
/** While one statement is on its way, a second leaves when so many rows have gathered, or after so long: a first that hangs holds nobody up. */
const rowsForSecond = 16
const millisForSecond = 20

interface Waiting<Item, Answer> {
  readonly item: Item
  readonly key: string
  readonly resume: (exit: Exit.Exit<Answer, PgFailure | StoreUnavailable>) => void
  timer: NodeJS.Timeout | undefined
  sent: boolean
  done: boolean
}

/** How a batcher commits: one item by a plain statement, several by one statement over all of them. */
export interface Commits<Item, Answer> {
  /** Two items with the same key never share a statement: the second must see what the first did. Also the lock order. */
  readonly keyOf: (item: Item) => string
  /** About how many characters the item's row has. */
  readonly sizeOf: (item: Item) => number
  readonly one: (item: Item) => Effect.Effect<Answer, PgFailure | StoreUnavailable>
  /** One answer per item, in the items' order. */
  readonly many: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Answer>, PgFailure | StoreUnavailable>
}

const failureOf = (exit: Exit.Exit<unknown, unknown>): unknown =>
  Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined

// Only where the server said that the whole statement failed may its rows be tried again one by one.
const mayRetryAlone = (exit: Exit.Exit<unknown, unknown>): boolean => {
  const failure = failureOf(exit)
  return failure instanceof PgFailure && failure.committed === "no" && failure.sqlState !== null
}

/**
 * Adaptive micro-batching. A commit that finds nothing in flight goes at once, alone, as a plain statement. Those that arrive while
 * a statement is on its way wait for the next one and share its commit. Nobody is answered before their own commit is durable, and
 * nobody waits longer than `patienceMillis`: who was still waiting in line then knows that nothing was sent.
 */
export class CommitBatcher<Item, Answer> {
  private readonly commits: Commits<Item, Answer>
  private readonly patienceMillis: number
  private readonly line: Array<Waiting<Item, Answer>> = []
  private inFlight = 0
  private scheduled = false
  private second: NodeJS.Timeout | undefined

  constructor(commits: Commits<Item, Answer>, patienceMillis: number) {
    this.commits = commits
    this.patienceMillis = patienceMillis
  }

  readonly submit = (item: Item): Effect.Effect<Answer, PgFailure | StoreUnavailable> =>
    Effect.callback((resume) => {
      const waiting: Waiting<Item, Answer> = {
        item,
        key: this.commits.keyOf(item),
        resume: (exit) => resume(exit),
        timer: undefined,
        sent: false,
        done: false
      }
      waiting.timer = setTimeout(() => this.giveUp(waiting), this.patienceMillis)
      this.line.push(waiting)
      this.schedule()
      return Effect.sync(() => this.forget(waiting))
    })

  private answer(waiting: Waiting<Item, Answer>, exit: Exit.Exit<Answer, PgFailure | StoreUnavailable>): void {
    if (waiting.done) return
    waiting.done = true
    clearTimeout(waiting.timer)
    waiting.resume(exit)
  }

  private giveUp(waiting: Waiting<Item, Answer>): void {
    const committed = waiting.sent ? "unknown" : "no"
    this.answer(waiting, Exit.fail(new StoreUnavailable({
      committed,
      cause: new Error(`The commit was not confirmed within ${this.patienceMillis} ms`)
    })))
    this.forget(waiting)
  }

  // A caller that goes away before its row was sent takes it out of the line; after that the commit runs on without it.
  private forget(waiting: Waiting<Item, Answer>): void {
    waiting.done = true
    clearTimeout(waiting.timer)
    const index = waiting.sent ? -1 : this.line.indexOf(waiting)
    if (index >= 0) this.line.splice(index, 1)
  }

  // What is woken in the same turn of the loop, by whatever socket, gets to stand in line first: under load a turn is long.
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
    let size = this.commits.sizeOf(head.item)
    for (let index = 0; index < this.line.length && batch.length < rowsPerStatement;) {
      const candidate = this.line[index]
      const added = candidate === undefined ? 0 : this.commits.sizeOf(candidate.item)
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
    for (const waiting of batch) waiting.sent = true
    const work = others.length === 0 ? this.sendOne(only) : this.sendMany(batch)
    Effect.runFork(work).addObserver(() => {
      this.inFlight -= 1
      this.schedule()
    })
  }

  private sendOne(waiting: Waiting<Item, Answer>): Effect.Effect<void> {
    return Effect.map(Effect.exit(this.commits.one(waiting.item)), (exit) => this.answer(waiting, exit))
  }

  private sendMany(batch: ReadonlyArray<Waiting<Item, Answer>>): Effect.Effect<void> {
    return Effect.flatMap(Effect.exit(this.commits.many(batch.map(({ item }) => item))), (exit) => {
      if (mayRetryAlone(exit)) {
        return Effect.forEach(batch, (waiting) => this.sendOne(waiting), { concurrency: 4, discard: true })
      }
      return Effect.sync(() => {
        batch.forEach((waiting, index) => this.answer(waiting, Exit.map(exit, (answers) => answers[index] as Answer)))
      })
    })
  }
}
