import { type Conclusion, type Operation, OperationStore } from "@overa/domain"
import { Effect } from "effect"
import { setTimeout } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { mintPlace, noAnswer, sampleAnswer, sampleOperation, sampleReservation, signed } from "../support/sampleOperations.ts"

/** A store of operations with its watch over the counters. */
export interface CounterStage {
  readonly run: <A, E>(body: Effect.Effect<A, E, OperationStore>) => Promise<A>
  readonly register: (organizationId: string) => Promise<void>
  /** Takes in what was stored, without a check. */
  readonly note: () => Promise<unknown>
  /** One check by each worker, at once. */
  readonly check: () => Promise<unknown>
  /** Sentences of the gaps that were raised for an organization, in the order of raising. */
  readonly gaps: (organizationId: string) => Promise<ReadonlyArray<string>>
  /** How many counters are kept because they are not accounted for. */
  readonly kept: (organizationId: string) => Promise<number>
  readonly close: () => Promise<void>
}

/** What every watch over the counters of elements does. */
export const counterWatchContract = (name: string, start: () => Promise<CounterStage>): void => {
  let started: CounterStage
  beforeAll(async () => {
    started = await start()
  })
  afterAll(() => started.close())

  /** An organization with one element. The samples carry a time long ago; here they were sent now. */
  const element = async () => {
    const place = mintPlace()
    await started.register(place.organizationId)
    const jid = place.taxpayerId.slice(-8).toUpperCase()
    const number = (counter: number) => `${jid}-${jid}-${counter}`
    const send = () => started.run(Effect.gen(function*() {
      const operation = sampleOperation(place)
      yield* (yield* OperationStore).reserve(sampleReservation(operation, { attempt: { jid } }))
      return operation
    }))
    const conclude = (conclusion: Conclusion) => started.run(Effect.flatMap(OperationStore, (store) => store.conclude(conclusion)))
    const sign = (operation: Operation, counter: number) => conclude(signed(operation, { answer: sampleAnswer(number(counter)) }))
    const issue = async (counter: number) => sign(await send(), counter)
    const lose = async () => {
      const operation = await send()
      await conclude(noAnswer(operation))
      return operation
    }
    const check = async () => {
      await started.note()
      return checkNoted()
    }
    const checkNoted = async () => {
      await started.check()
      const sentences = await started.gaps(place.organizationId)
      return sentences.map((sentence) => /^counters? ([\d to]+) of/.exec(sentence)?.[1]?.trim())
    }
    return { send, sign, conclude, issue, lose, check, checkNoted, kept: () => started.kept(place.organizationId) }
  }

  describe(`${name}: counters of an element`, () => {
    it("that follow each other raise nothing and leave nothing behind, wherever they began", async () => {
      const { check, issue, kept } = await element()
      for (const counter of [41, 42, 43]) await issue(counter)
      assert.deepStrictEqual(await check(), [])
      await issue(44)
      assert.deepStrictEqual(await check(), [])
      assert.strictEqual(await kept(), 0)
    })

    it("with a gap raise it by the next receipt, once, whoever checks and how often", async () => {
      const { check, issue } = await element()
      await issue(7)
      await check()
      await issue(9)
      assert.deepStrictEqual(await check(), ["8"])
      await issue(14)
      assert.deepStrictEqual(await check(), ["8", "10 to 13"])
      await issue(15)
      assert.deepStrictEqual(await check(), ["8", "10 to 13"])
    })

    it("wait for a receipt that is still in doubt, and raise nothing when it is found", async () => {
      const { check, issue, lose, sign } = await element()
      await issue(1)
      const unknown = await lose()
      await issue(3)
      assert.deepStrictEqual(await check(), [])
      await issue(4)
      assert.deepStrictEqual(await check(), [])
      await sign(unknown, 2)
      assert.deepStrictEqual(await check(), [])
      await issue(5)
      assert.deepStrictEqual(await check(), [])
    })

    it("wait for a receipt that is stored and was not taken in yet", async () => {
      const { check, checkNoted, issue, kept, send, sign } = await element()
      await issue(1)
      assert.deepStrictEqual(await check(), [])
      const second = await send()
      await issue(3)
      await started.note()
      await sign(second, 2)
      assert.deepStrictEqual(await checkNoted(), [])
      assert.deepStrictEqual(await check(), [])
      assert.strictEqual(await kept(), 0)
    })

    it("raise the gap when what was in doubt turns out to be none of it", async () => {
      const { check, conclude, issue, lose } = await element()
      await issue(1)
      const unknown = await lose()
      await issue(3)
      assert.deepStrictEqual(await check(), [])
      await conclude({
        ...noAnswer(unknown), event: "confirmedNotIssued", actor: "operator:ana", failureCode: "OPERATOR_CONFIRMED_NOT_ISSUED", attemptOutcome: null, nextCheckAfterMillis: null
      })
      assert.deepStrictEqual(await check(), ["2"])
    })

    it("do not wait for what was sent only afterwards", async () => {
      const { check, issue, send } = await element()
      await issue(1)
      await issue(3)
      await started.note()
      await setTimeout(5)
      await send()
      assert.deepStrictEqual(await check(), ["2"])
    })

    it("wait for what was on its way before, until it has come to rest", async () => {
      const { check, issue, send, sign } = await element()
      await issue(1)
      const underway = await send()
      await issue(3)
      assert.deepStrictEqual(await check(), [])
      await sign(underway, 2)
      assert.deepStrictEqual(await check(), [])
    })

    it("of elements and organizations are apart", async () => {
      const [one, other] = [await element(), await element()]
      await one.issue(1)
      await other.issue(5)
      await other.issue(6)
      await one.issue(2)
      assert.deepStrictEqual([await one.check(), await other.check()], [[], []])
    })
  })
}
