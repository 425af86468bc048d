import { type NewBusinessPremise, TaxpayerActs, type TaxpayerEntry, TenancyOversight } from "@overa/domain"
import { Command } from "commander"
import { Effect } from "effect"
import type { Desk } from "../Desk.ts"
import type { Input } from "../input/Input.ts"
import { namedTaxpayer } from "../input/named.ts"
import { rightTaxIdentifier } from "../input/rightTaxIdentifier.ts"
import { table } from "../output/Outcome.ts"
import { Refusal } from "../Refusal.ts"
import { asFinalAct, asAct, withExamples } from "./describe.ts"

const environments = ["sandbox", "production"] as const
const vatStatuses = ["IN_VAT", "OUTSIDE_VAT"] as const

const rowOf = ({ organizationId, taxpayer, vatStatusSince }: TaxpayerEntry) => [
  taxpayer.id,
  taxpayer.environment,
  taxpayer.taxIdentifier,
  taxpayer.name,
  vatStatusSince === null ? taxpayer.vatStatus : `${taxpayer.vatStatus} since ${vatStatusSince}`,
  taxpayer.status,
  organizationId
]

const list = (desk: Desk) =>
  new Command("list").description("taxpayers of one organization, or of all").option("--organization <id>").action(desk.does((input) =>
    Effect.gen(function*() {
      const organizationId = yield* input.optionalId("organization", "organization")
      const entries = yield* (yield* TenancyOversight).taxpayers(organizationId)
      const heads = ["ID", "ENVIRONMENT", "TAX ID", "NAME", "VAT", "STATUS", "ORGANIZATION"]
      return { text: table(heads, entries.map(rowOf)), json: { items: entries } }
    })
  ))

/** A name, or a sentence about the faulty option. */
const name = (input: Input, option: string, most: number): Effect.Effect<string, Refusal> => {
  const text = (input.text(option) ?? "").trim()
  return text !== "" && [...text].length <= most
    ? Effect.succeed(text)
    : Effect.fail(new Refusal({ sentence: `--${option} must have 1 to ${most} characters.` }))
}

/** Nine digits (a company's PIB) or thirteen (a person's number). */
const taxIdentifier = (text: string): Effect.Effect<string, Refusal> =>
  /^\d{9}$|^\d{13}$/.test(text)
    ? rightTaxIdentifier(text)
    : Effect.fail(new Refusal({ sentence: `A tax identifier has nine digits, or thirteen; "${text}" has not.` }))

const premiseOf = Effect.fnUntraced(function*(input: Input) {
  const puIdentifier = input.text("pu") ?? ""
  if (!/^\d{1,10}$/.test(puIdentifier)) return yield* new Refusal({ sentence: "--pu must be the premise identifier, 1 to 10 digits." })
  const premise: NewBusinessPremise = {
    puIdentifier,
    name: yield* name(input, "premise", 200),
    address: input.text("address"),
    city: input.text("city")
  }
  return premise
})

const confirm = (desk: Desk) =>
  asAct(new Command("confirm").description("confirms that the tax identifier belongs to this taxpayer and no other organization, after you have checked the proof").argument("<taxpayer>"))
    .action(desk.does((input) =>
      Effect.gen(function*() {
        const { organizationId, taxpayer } = yield* namedTaxpayer(yield* input.id("taxpayer", input.argument(0)))
        yield* (yield* TaxpayerActs).confirmTaxpayer(yield* input.act, organizationId, taxpayer.id)
        return { text: `${taxpayer.taxIdentifier} is ${taxpayer.name}'s.`, json: { taxpayerId: taxpayer.id } }
      })
    ))

const release = (desk: Desk) =>
  asAct(new Command("release").description("makes it inactive and its tax identifier free for another organization; its documents stay").argument("<taxpayer>"))
    .action(desk.does((input) =>
      Effect.gen(function*() {
        const { organizationId, taxpayer } = yield* namedTaxpayer(yield* input.id("taxpayer", input.argument(0)))
        yield* (yield* TaxpayerActs).releaseTaxpayer(yield* input.act, organizationId, taxpayer.id)
        return { text: `${taxpayer.taxIdentifier} is free; ${taxpayer.name} is inactive.`, json: { taxpayerId: taxpayer.id } }
      })
    ))

const add = (desk: Desk) =>
  asAct(
    new Command("add").description("makes a taxpayer with its first premise; both identifiers can never be changed")
      .argument("<organization>")
      .requiredOption("--environment <name>", environments.join(" or "))
      .requiredOption("--tax-id <digits>").requiredOption("--name <text>")
      .requiredOption("--vat <status>", vatStatuses.join(" or "))
      .requiredOption("--pu <digits>", "premise identifier").requiredOption("--premise <text>", "the premise's name")
      .option("--address <text>").option("--city <text>")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const organizationId = yield* input.id("organization", input.argument(0))
      const environment = yield* input.choice("--environment", input.text("environment") ?? "", environments)
      const taxpayer = {
        taxIdentifier: yield* taxIdentifier(input.text("taxId") ?? ""),
        name: yield* name(input, "name", 200),
        address: input.text("address"),
        city: input.text("city"),
        vatStatus: yield* input.choice("--vat", input.text("vat") ?? "", vatStatuses),
        businessPremises: [yield* premiseOf(input)]
      }
      const made = yield* (yield* TaxpayerActs).createTaxpayer(yield* input.act, organizationId, environment, taxpayer)
      const [first] = made.premises
      const element = first?.elementId ?? null
      return {
        text: `Made taxpayer ${made.taxpayer.id} with premise ${first?.premise.id ?? "-"}${element === null ? "; it has no security element yet" : ""}.`,
        json: { id: made.taxpayer.id, businessPremiseId: first?.premise.id ?? null, securityElementId: element }
      }
    })
  ))

const change = (desk: Desk) =>
  asFinalAct(
    new Command("change").description("changes status, VAT status or paper format; a VAT status needs the day it holds from")
      .argument("<taxpayer>")
      .option("--status <status>", "active or inactive").option("--vat <status>", vatStatuses.join(" or "))
      .option("--since <date>", "with --vat: the day it holds from").option("--paper <format>", "a4, 80mm or 58mm")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const taxpayerId = yield* input.id("taxpayer", input.argument(0))
      const entry = yield* namedTaxpayer(taxpayerId)
      const status = yield* input.optionalChoice("status", ["active", "inactive"])
      const vatStatus = yield* input.optionalChoice("vat", vatStatuses)
      const paper = yield* input.optionalChoice("paper", ["a4", "80mm", "58mm"])
      const since = yield* vatSince(input, vatStatus !== undefined)
      if (status === undefined && vatStatus === undefined && paper === undefined) {
        return yield* new Refusal({ sentence: "Say what to change: --status, --vat with --since, or --paper." })
      }
      const act = yield* input.act
      if (status === "inactive") yield* input.confirm(`${entry.taxpayer.name} will issue no more documents.`)
      const changes = {
        ...(status === undefined ? {} : { status }),
        ...(vatStatus === undefined || since === null ? {} : { vatStatus, vatStatusSince: since }),
        ...(paper === undefined ? {} : { preferredPaperFormat: paper })
      }
      yield* (yield* TaxpayerActs).changeTaxpayer(act, entry.organizationId, taxpayerId, changes)
      return { text: `Changed taxpayer ${taxpayerId}.`, json: { id: taxpayerId, ...changes } }
    })
  ))

// The service applies a VAT status at once, so a date in the future would make receipts wrong until then.
const vatSince = Effect.fnUntraced(function*(input: Input, needed: boolean) {
  const since = yield* input.instant("since")
  if (!needed) return since === null ? null : yield* new Refusal({ sentence: "--since belongs to --vat." })
  if (since === null) return yield* new Refusal({ sentence: "A VAT status needs --since: the day it holds from." })
  const today = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
  if (since.epochMilliseconds > today) {
    return yield* new Refusal({ sentence: "A VAT status is applied at once; change it on the day it begins, not before." })
  }
  return new Date(since.epochMilliseconds).toISOString().slice(0, 10)
})

/** `taxpayers`: the companies that issue receipts. */
export const taxpayers = (desk: Desk): Command =>
  withExamples(
    new Command("taxpayers").description("taxpayers").addCommand(list(desk)).addCommand(add(desk)).addCommand(change(desk)).addCommand(confirm(desk)).addCommand(release(desk)),
    [
      `taxpayers list`,
      `taxpayers add <organization> --environment production --tax-id 100000049 --name "Knjižara Zora" --vat IN_VAT --pu 1000001 --premise "Web prodavnica" --reason "contract 17"`,
      `taxpayers change <taxpayer> --vat OUTSIDE_VAT --since 2026-01-01 --reason "decision of the tax office"`
    ]
  )

export { premiseOf }
