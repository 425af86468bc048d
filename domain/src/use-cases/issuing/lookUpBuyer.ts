import { Context, Deferred, Effect, Fiber, Option } from "effect"
import type { Buyer, BuyerDetails } from "../../parties/Buyer.ts"
import { registerTaxIdentifier } from "../../parties/registerTaxIdentifier.ts"
import { CompanyRegister } from "../../ports/CompanyRegister.ts"

/** How long a receipt for a company waits for the register before anything is stored or sent (docs/adr/0214). */
export class RegisterTimeout extends Context.Reference("@overa/domain/use-cases/RegisterTimeout", {
  defaultValue: () => ({ millis: 1_000 })
}) {}

/** The details known when it is run. What has not arrived by then is left out, and not waited for. */
export type LookedUp = Effect.Effect<BuyerDetails | null>

/** Waits for the first of two. A race would not end here, where nothing may be interrupted: it waits for the loser too. */
const firstOf = Effect.fnUntraced(function*(one: Effect.Effect<unknown>, other: Effect.Effect<unknown>) {
  const done = Deferred.makeUnsafe<void>()
  const waiting = yield* Effect.forEach([one, other], (each) => Effect.forkDetach(Effect.andThen(each, Deferred.succeed(done, undefined))))
  yield* Deferred.await(done)
  yield* Effect.forEach(waiting, (fiber) => Effect.forkDetach(Fiber.interrupt(fiber)))
})

/**
 * Asks the company register for the buyer of a document that will be sent, and waits a moment for the answer: a V-PFR that signs quickly would otherwise
 * leave the first receipt of a company without name and address for good (Spec, Resources, BuyerDetails). Nothing is stored or sent meanwhile. An answer
 * that comes later, while the V-PFR signs, still counts.
 */
export const lookUpBuyer = Effect.fnUntraced(function*(buyer: Buyer | null, known: BuyerDetails | null, isSent: boolean) {
  const taxIdentifier = registerTaxIdentifier(buyer?.id ?? null)
  if (!isSent || known !== null || Option.isNone(taxIdentifier)) return Effect.succeed(known)
  const register = yield* CompanyRegister
  const timeout = yield* RegisterTimeout
  const fiber = yield* Effect.forkDetach(register.lookup(taxIdentifier.value), { startImmediately: true })
  if (fiber.pollUnsafe() === undefined) yield* firstOf(Fiber.await(fiber), Effect.sleep(timeout.millis))
  const lookedUp: LookedUp = Effect.suspend(() => {
    const exit = fiber.pollUnsafe()
    const details = exit?._tag === "Success" ? Option.getOrNull(exit.value) : known
    return exit === undefined ? Effect.as(Effect.forkDetach(Fiber.interrupt(fiber)), details) : Effect.succeed(details)
  })
  return lookedUp
})
