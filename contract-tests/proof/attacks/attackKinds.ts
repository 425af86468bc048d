import { ask, type Ground, keepDoing, tokenOf } from "./Ground.ts"

/** How often the attacker saw each status. */
export type Seen = Readonly<Record<string, number>>

/** One kind of attack. */
export interface Attack {
  readonly name: string
  /** Its description, for the table of figures. */
  readonly what: string
  readonly run: (ground: Ground, until: AbortSignal) => Promise<Seen>
}

export const megabyte = 1_048_000

export const counted = () => {
  const seen: Record<string, number> = {}
  return { seen, count: (status: number) => (seen[status] = (seen[status] ?? 0) + 1) }
}

/** Work that this many workers repeat; `turn` counts from 1 over all of them. */
type Work = (turn: number) => Promise<{ readonly status: number }>

const working = (name: string, what: string, workers: number, prepare: (ground: Ground) => Promise<Work>): Attack => ({
  name,
  what,
  run: async (ground, until) => {
    const { count, seen } = counted()
    const work = await prepare(ground)
    let turn = 0
    await keepDoing(workers, until, async () => count((await work(turn += 1)).status))
    return seen
  }
})

/** The same body posted as a sale, repeatedly. */
export const bodies = (name: string, what: string, workers: number, bodyOf: (ground: Ground) => string): Attack =>
  working(name, what, workers, async (ground) => {
    const token = await tokenOf(ground)
    const body = bodyOf(ground)
    return () => ask(ground.url, token, "/v1/fiscal-documents", body)
  })

/** Requests without a token. */
export const open = (name: string, what: string, workers: number, request: (ground: Ground) => Promise<Response>): Attack =>
  working(name, what, workers, (ground) =>
    Promise.resolve(async () => {
      const answer = await request(ground)
      await answer.arrayBuffer()
      return answer
    }))

/** The same work, repeated by this many workers with the attacker's token. */
export const repeated = (name: string, what: string, workers: number, prepare: (ground: Ground, token: string) => Promise<Work>): Attack =>
  working(name, what, workers, async (ground) => {
    const work = await prepare(ground, await tokenOf(ground))
    return async (turn) => {
      const answer = await work(turn)
      if (answer.status === 429) await new Promise((resolve) => setTimeout(resolve, 20))
      return answer
    }
  })
