import { type BusinessPremiseId, TaxpayerActs, TenancyOversight } from "@overa/domain"
import { Command } from "commander"
import { Effect } from "effect"
import type { Desk } from "../Desk.ts"
import { namedTaxpayer } from "../input/named.ts"
import { table } from "../output/Outcome.ts"
import { Refusal } from "../Refusal.ts"
import { asAct, asFinalAct, withExamples } from "./describe.ts"
import { premiseOf } from "./taxpayers.ts"

const list = (desk: Desk) =>
  new Command("list").description("business premises").option("--organization <id>").option("--taxpayer <id>").action(desk.does((input) =>
    Effect.gen(function*() {
      const organizationId = yield* input.optionalId("organization", "organization")
      const taxpayerId = yield* input.optionalId("taxpayer", "taxpayer")
      const entries = yield* (yield* TenancyOversight).taxpayers(organizationId)
      const premises = entries.flatMap((entry) => entry.premises).filter((it) => taxpayerId === null || it.taxpayerId === taxpayerId)
      const rows = premises.map((it) => [it.id, it.environment, it.puIdentifier, it.name, it.paymentMode, it.commerceMode, it.status, it.taxpayerId])
      const heads = ["ID", "ENVIRONMENT", "PU", "NAME", "PAYMENTS", "COMMERCE", "STATUS", "TAXPAYER"]
      return { text: table(heads, rows), json: { items: premises } }
    })
  ))

const add = (desk: Desk) =>
  asAct(
    new Command("add").description("makes a premise; its identifier can never be changed").argument("<taxpayer>")
      .requiredOption("--pu <digits>", "premise identifier").requiredOption("--premise <text>", "its name")
      .option("--address <text>").option("--city <text>")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const taxpayerId = yield* input.id("taxpayer", input.argument(0))
      const premise = yield* premiseOf(input)
      const { organizationId } = yield* namedTaxpayer(taxpayerId)
      const made = yield* (yield* TaxpayerActs).addPremise(yield* input.act, organizationId, taxpayerId, premise)
      return { text: `Made premise ${made.premise.id}.`, json: { id: made.premise.id, securityElementId: made.elementId } }
    })
  ))

/** The organization a premise belongs to, with the premise. */
export const findPremise = Effect.fnUntraced(function*(id: BusinessPremiseId) {
  for (const entry of yield* (yield* TenancyOversight).taxpayers(null)) {
    const premise = entry.premises.find((it) => it.id === id)
    if (premise !== undefined) return { entry, premise }
  }
  return yield* new Refusal({ sentence: `There is no business premise ${id}.` })
})

const change = (desk: Desk) =>
  asFinalAct(
    new Command("change").description("changes payment mode, commerce mode or status").argument("<premise>")
      .option("--payments <mode>", "all or restricted").option("--commerce <mode>", "distance or in_person")
      .option("--status <status>", "active, suspended or closed")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const premiseId = yield* input.id("premise", input.argument(0))
      const paymentMode = yield* input.optionalChoice("payments", ["all", "restricted"])
      const commerceMode = yield* input.optionalChoice("commerce", ["distance", "in_person"])
      const status = yield* input.optionalChoice("status", ["active", "suspended", "closed"])
      const changes = {
        ...(paymentMode === undefined ? {} : { paymentMode }),
        ...(commerceMode === undefined ? {} : { commerceMode }),
        ...(status === undefined ? {} : { status })
      }
      if (Object.keys(changes).length === 0) return yield* new Refusal({ sentence: "Say what to change: --payments, --commerce or --status." })
      const { entry, premise } = yield* findPremise(premiseId)
      const act = yield* input.act
      if (status === "closed") yield* input.confirm(`The premise ${premise.name} will issue no more documents.`)
      yield* (yield* TaxpayerActs).changePremise(act, entry.organizationId, premiseId, changes)
      return { text: `Changed premise ${premiseId}.`, json: { id: premiseId, ...changes } }
    })
  ))

/** `premises`: the places that issue receipts. */
export const premises = (desk: Desk): Command =>
  withExamples(
    new Command("premises").description("business premises").addCommand(list(desk)).addCommand(add(desk)).addCommand(change(desk)),
    [`premises list --taxpayer <taxpayer>`, `premises change <premise> --payments restricted --reason "request of the Owner"`]
  )
