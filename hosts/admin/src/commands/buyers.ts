import { ErasureActs } from "@overa/domain"
import { Command } from "commander"
import { Effect } from "effect"
import type { Desk } from "../Desk.ts"
import { Refusal } from "../Refusal.ts"
import { asFinalAct, withExamples } from "./describe.ts"
import { requiredTerm } from "./erasureTerm.ts"

const erase = (desk: Desk) =>
  asFinalAct(
    new Command("erase").description("erases a buyer's name, address and registration number from an organization's documents; the signed receipt stays as it is")
      .argument("<organization>").argument("[buyer-id]", "as the receipt has it, e.g. 10:101883300; of all buyers when absent")
      .option("--older-than <days>", "only documents that last moved so many days ago (required)")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const organizationId = yield* input.id("organization", input.argument(0))
      const buyerId = input.argument(1) === "" ? null : input.argument(1)
      if (buyerId !== null && !/^\d{2}:[\x21-\x7e]{1,17}$/.test(buyerId)) return yield* new Refusal({ sentence: "The second argument must be a buyer's id with its prefix, e.g. 10:101883300." })
      const olderThanDays = yield* requiredTerm(input)
      const act = yield* input.act
      yield* input.confirm("The details cannot be brought back; papers drawn from now on go without them.")
      const erased = yield* (yield* ErasureActs).eraseBuyerDetails(act, organizationId, { buyerId, olderThanDays })
      return { text: `Erased from ${erased} documents.`, json: { erased } }
    })
  ))

/** `buyers`: personal data of buyers outside the signed record. */
export const buyers = (desk: Desk): Command =>
  withExamples(new Command("buyers").description("personal data of buyers outside the signed record").addCommand(erase(desk)), [
    `buyers erase <organization> 10:101883300 --older-than 3650 --reason "asked for by the buyer, ticket 12"`,
    `buyers erase <organization> --older-than 3650 --reason "kept for ten years" --yes`
  ])
