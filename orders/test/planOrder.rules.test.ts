import { answered, nextRequest, type OrderEvent, type OrderProgress, planOrder, type Settings } from "@overa/orders"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ServiceModel } from "./ServiceModel.ts"
import { choicesArbitrary, orderArbitrary, settingsArbitrary, type Story, storyOf } from "../../contract-tests/src/orders/stories.ts"

const told = fc.tuple(settingsArbitrary, orderArbitrary, choicesArbitrary).map(([settings, order, choices]) => ({ settings, story: storyOf(settings, order, choices) }))

/** Tells the events one after the other, and sends what is due after each, as a shop would. */
const tell = (settings: Settings, events: ReadonlyArray<OrderEvent>) => {
  const service = new ServiceModel()
  let progress: OrderProgress = {}
  const heard: Array<OrderEvent> = []
  for (const event of events) {
    heard.push(event)
    const plan = planOrder(settings, heard)
    for (let request = nextRequest(plan, progress); request !== null; request = nextRequest(plan, progress)) {
      progress = { ...progress, [request.step]: answered(request.operation, service.send(request) as never) }
    }
  }
  return { service, plan: planOrder(settings, heard) }
}

const inDinars = (paras: bigint | number): string => (Number(paras) / 100).toFixed(2)

describe("ORDERS-1: what is signed at the end is what the buyer paid, to the para", () => {
  const judge = (settings: Settings, { paid }: Story, events: ReadonlyArray<OrderEvent>) => {
    const { plan, service } = tell(settings, events)
    expect(plan.remarks).toEqual([])
    expect([inDinars(service.signed), plan.signed, plan.paid, plan.owed]).toEqual([inDinars(paid), inDinars(paid), inDinars(paid), "0.00"])
  }

  it("as the events happened", () => {
    fc.assert(fc.property(told, ({ settings, story }) => judge(settings, story, story.events)), { numRuns: 400 })
  })

  it("in whatever order they are told, some of them twice", () => {
    const shuffled = told.chain(({ settings, story }) =>
      fc.tuple(fc.shuffledSubarray([...story.events], { minLength: story.events.length }), fc.array(fc.nat(20), { maxLength: 4 })).map(([events, again]) => ({
        settings, story, events: [...events, ...again.map((at) => events[at % events.length] as OrderEvent)]
      }))
    )
    fc.assert(fc.property(shuffled, ({ events, settings, story }) => judge(settings, story, events)), { numRuns: 600 })
  })
})

describe("ORDERS-2: an event never makes a request twice, and never changes one", () => {
  it("more events only add steps", () => {
    fc.assert(fc.property(told, ({ settings, story: { events } }) => {
      const all = planOrder(settings, events).steps
      for (const at of events.keys()) {
        const steps = planOrder(settings, events.slice(0, at)).steps
        expect(all.slice(0, steps.length)).toEqual(steps)
      }
    }), { numRuns: 200 })
  })

  it("a name of a step is there once", () => {
    fc.assert(fc.property(told, ({ settings, story: { events } }) => {
      const names = planOrder(settings, events).steps.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
    }), { numRuns: 200 })
  })
})
