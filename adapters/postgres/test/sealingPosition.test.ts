import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { noOperation, positionBehind, positionOn, type SealingPosition } from "../src/journal-log/sealingPosition.ts"

interface Row {
  readonly moved_by: string
  readonly operation_id: string
}

const start: SealingPosition = { moved_by: "3", operation_id: noOperation, cluster: "one", swept_to: noOperation, swept_at: new Date(0) }

const idOf = (number: number): string => `00000000-0000-0000-0000-${String(number).padStart(12, "0")}`

/** Models a server with transactions that begin, write some rows and end in any order, and a sealer that reads from its position on. */
class Model {
  private next = 3
  private ids = 0
  private readonly open = new Map<number, Array<Row>>()
  private readonly visible: Array<Row> = []
  readonly sealed: Array<Row> = []
  position = start

  begin(rows: number): void {
    const id = this.next++
    // Ids are in no order: a document may change long after it was made.
    this.open.set(id, Array.from({ length: rows }, () => ({ moved_by: String(id), operation_id: idOf((++this.ids * 7_919) % 10_007) })))
  }

  end(which: number, commits: boolean): void {
    const id = [...this.open.keys()][which % Math.max(1, this.open.size)]
    if (id === undefined) return
    if (commits) this.visible.push(...(this.open.get(id) ?? []))
    this.open.delete(id)
  }

  endAll(): void {
    while (this.open.size > 0) this.end(0, true)
  }

  pass(limit: number): number {
    const running = { first: String(Math.min(this.next, ...this.open.keys())), next: String(this.next) }
    const key = ({ moved_by, operation_id }: Row): string => `${moved_by.padStart(12, "0")} ${operation_id}`
    const rows = this.visible
      .filter((row) => key(row) > key(this.position) && Number(row.moved_by) < this.next && !this.sealed.includes(row))
      .toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
      .slice(0, limit)
    this.sealed.push(...rows)
    this.position = positionBehind(this.position, running, rows, rows.length === limit)
    return rows.length
  }

  get unsealed(): ReadonlyArray<Row> {
    return this.visible.filter((row) => !this.sealed.includes(row))
  }
}

type Step = (model: Model) => void
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.integer({ min: 0, max: 4 }).map((rows): Step => (model) => model.begin(rows)),
  fc.tuple(fc.nat(20), fc.boolean()).map(([which, commits]): Step => (model) => model.end(which, commits)),
  fc.integer({ min: 1, max: 6 }).map((limit): Step => (model) => void model.pass(limit))
)

describe("the sealer's position", () => {
  it("leaves no committed row behind, whatever transactions end in which order, and seals none twice", () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 1, max: 6 }), (steps, limit) => {
      const model = new Model()
      for (const each of steps) each(model)
      model.endAll()
      while (model.pass(limit) > 0);
      assert.deepStrictEqual(model.unsealed, [])
      assert.strictEqual(new Set(model.sealed).size, model.sealed.length)
    }), { numRuns: 2_000 })
  })

  it("never goes back", () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const model = new Model()
      for (const each of steps) {
        const before = BigInt(model.position.moved_by)
        each(model)
        assert.isTrue(BigInt(model.position.moved_by) >= before)
      }
    }))
  })

  it("begins anew where the numbers are another server's, or were not given yet", () => {
    const running = { first: "90", next: "100" }
    assert.strictEqual(positionOn("one", running, start), start)
    assert.strictEqual(positionOn("one", running, { ...start, moved_by: "100" }).moved_by, "100")
    const anew = { moved_by: "90", operation_id: noOperation, swept_to: noOperation, swept_at: null }
    assert.deepStrictEqual(positionOn("two", running, start), { ...anew, cluster: "two" })
    assert.deepStrictEqual(positionOn("one", running, { ...start, moved_by: "101" }), { ...anew, cluster: "one" })
    assert.deepStrictEqual(positionOn("one", running, undefined), { ...anew, cluster: "one" })
  })
})
