import { DeliveryActs, recipientFault } from "@overa/domain"
import { Command } from "commander"
import { Effect } from "effect"
import type { Desk } from "../Desk.ts"
import { Refusal } from "../Refusal.ts"
import { asAct, withExamples } from "./describe.ts"
import { longestTerm, requiredTerm } from "./erasureTerm.ts"

const erase = (desk: Desk) =>
  asAct(
    new Command("erase").description("erases a buyer's address from deliveries that are over; receipts themselves stay as they are")
      .argument("<organization>").argument("[address]", "of all buyers when absent; then --older-than is required").option("--older-than <days>", "only what ended so many days ago")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const organizationId = yield* input.id("organization", input.argument(0))
      const recipient = input.argument(1) === "" ? null : input.argument(1)
      if (recipient !== null && recipientFault(recipient) !== undefined) return yield* new Refusal({ sentence: "The second argument must be one e-mail address." })
      const olderThanDays = recipient === null ? yield* requiredTerm(input) : yield* input.wholeNumber("olderThan", 0, longestTerm)
      const erased = yield* (yield* DeliveryActs).eraseRecipient(yield* input.act, organizationId, { recipient, olderThanDays })
      return { text: `Erased from ${erased} deliveries. What is still queued keeps its address until it is sent or given up.`, json: { erased } }
    })
  ))

/** `deliveries`: receipts sent by e-mail. */
export const deliveries = (desk: Desk): Command =>
  withExamples(new Command("deliveries").description("receipts sent by e-mail").addCommand(erase(desk)), [
    `deliveries erase <organization> kupac@example.rs --older-than 365 --reason "asked for by the buyer, ticket 12"`,
    `deliveries erase <organization> --older-than 365 --reason "kept for a year"`
  ])
