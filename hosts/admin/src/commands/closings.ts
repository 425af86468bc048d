import { giveUpClosing, operatorOf } from "@overa/domain"
import { Command } from "commander"
import { Effect } from "effect"
import type { Desk } from "../Desk.ts"
import { asFinalAct, withExamples } from "./describe.ts"
import { openOperation } from "./unknown.ts"

const consequence = "Neither document of this closing will ever be sent, whoever repeats its key; the advance case can be closed again with a new key."

const giveUp = (desk: Desk) =>
  asFinalAct(
    new Command("give-up").description("gives up the closing of an advance case whose Advance Refund was not sent and whose key is lost")
      .argument("<operation>", "any document of the case")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const act = yield* input.act
      const { operation, tenant } = yield* openOperation(yield* input.id("operation", input.argument(0)))
      yield* input.confirm(consequence)
      const { caseId, document } = yield* giveUpClosing({ tenant, id: operation.id, operator: operatorOf(act) })
      return { text: `The closing is given up. The advance case ${caseId} can be closed again with a new key.`, json: { id: document.id, advanceCaseId: caseId } }
    })
  ))

/** `closings`: closings of advance cases whose key is lost. */
export const closings = (desk: Desk): Command =>
  withExamples(new Command("closings").description("closings of advance cases whose key is lost").addCommand(giveUp(desk)), [
    `closings give-up <operation> --reason "the shop's database lost the key, ticket 93"`
  ])
