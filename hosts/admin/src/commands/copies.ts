import { type Operation, operatorOf, retryCopy } from "@overa/domain"
import { Command } from "commander"
import { Effect } from "effect"
import type { Desk } from "../Desk.ts"
import { Trouble } from "../Refusal.ts"
import { asAct, withExamples } from "./describe.ts"
import { openOperation } from "./unknown.ts"

/** The status of the copy, and what happens next. */
const sentence = (copy: Operation): string => {
  switch (copy.status) {
    case "FISCALIZED":
      return `The copy is issued: ${copy.answer?.pfr.invoiceNumber}. The refund workflow is COMPLETED.`
    case "REJECTED":
      return `The V-PFR rejected the copy again (${copy.rejection?.items.flatMap(({ codes }) => codes).join(", ")}); see unknown show ${copy.id}.`
    case "NOT_FISCALIZED":
      return `Nothing was sent (${copy.failureCode}). The worker sends the copy as soon as the V-PFR can be reached.`
    default:
      return "The V-PFR has not answered; whether the copy was signed is not known yet. The worker searches for it; nothing is sent twice."
  }
}

const retry = (desk: Desk) =>
  asAct(new Command("retry").description("sends the rejected copy of a cash refund again; nothing else can be sent by hand").argument("<operation>"))
    .action(desk.does((input) =>
      Effect.gen(function*() {
        const act = yield* input.act
        const { operation, tenant } = yield* openOperation(yield* input.id("operation", input.argument(0)))
        const copy = yield* retryCopy({ tenant, id: operation.id, operator: operatorOf(act) })
        const invoiceNumber = copy.answer?.pfr.invoiceNumber ?? null
        if (copy.status !== "FISCALIZED") return yield* new Trouble({ sentence: sentence(copy) })
        return { text: sentence(copy), json: { id: copy.id, status: copy.status, invoiceNumber } }
      })
    ))

/** `copies`: the copies of cash refunds that the V-PFR rejected. */
export const copies = (desk: Desk): Command =>
  withExamples(new Command("copies").description("rejected copies of cash refunds").addCommand(retry(desk)), [
    `copies retry <operation> --reason "the premise has its label again, ticket 91"`
  ])
