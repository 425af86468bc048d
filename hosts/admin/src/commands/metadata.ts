import { ErasureActs } from "@overa/domain"
import { Command } from "commander"
import { Effect } from "effect"
import type { Desk } from "../Desk.ts"
import { asFinalAct, withExamples } from "./describe.ts"
import { requiredTerm } from "./erasureTerm.ts"

const erase = (desk: Desk) =>
  asFinalAct(
    new Command("erase").description("erases metadata and the cashier's name from the requests of an organization's documents; receipts and the journal's log stay as they are")
      .argument("<organization>")
      .option("--reference <client-reference>", "only documents of this clientReference; of all documents when absent")
      .option("--older-than <days>", "only documents that last moved so many days ago (required)")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const organizationId = yield* input.id("organization", input.argument(0))
      const olderThanDays = yield* requiredTerm(input)
      const act = yield* input.act
      yield* input.confirm("Metadata and cashiers' names cannot be brought back; proofs say from then on that they were erased.")
      const { erased, unreadable } = yield* (yield* ErasureActs).eraseRequestData(act, organizationId, { clientReference: input.text("reference"), olderThanDays })
      const kept = unreadable === 0 ? "" : ` ${unreadable} documents cannot be read and stay as they are; "journal verify" names them.`
      return { text: `Erased from ${erased} documents.${kept}`, json: { erased, unreadable } }
    })
  ))

/** `metadata`: personal data in requests, outside the signed record. */
export const metadata = (desk: Desk): Command =>
  withExamples(new Command("metadata").description("personal data in requests, outside the signed record").addCommand(erase(desk)), [
    `metadata erase <organization> --reference order-4711 --older-than 30 --reason "asked for by the buyer, ticket 12"`,
    `metadata erase <organization> --older-than 1095 --reason "kept for three years" --yes`
  ])
