import { activateElement, daysUntil, ElementActs, type ElementEntry, ElementOversight, type SecurityElementId } from "@overa/domain"
import { Command } from "commander"
import { DateTime, Effect, Option } from "effect"
import type { Desk } from "../Desk.ts"
import { readElement } from "../elements/readElement.ts"
import type { Input } from "../input/Input.ts"
import { shownTime, table } from "../output/Outcome.ts"
import { Refusal } from "../Refusal.ts"
import { asFinalAct, asAct, withExamples } from "./describe.ts"
import { findPremise } from "./premises.ts"

const shownElements = (entries: ReadonlyArray<ElementEntry>, now: DateTime.Utc) => ({
  text: table(
    ["ID", "ENVIRONMENT", "JID", "TAX ID", "STATUS", "UNTIL", "DAYS", "PREMISE"],
    entries.map(({ element, taxIdentifier }) => [
      element.id,
      element.environment,
      element.jid,
      taxIdentifier,
      element.status,
      shownTime(element.validTo),
      String(daysUntil(element.validTo, now)),
      element.businessPremiseId
    ])
  ),
  json: { items: entries.map((entry) => ({ ...entry, daysLeft: daysUntil(entry.element.validTo, now) })) }
})

const list = (desk: Desk) =>
  new Command("list").description("all elements; those that expire first come first").option("--organization <id>")
    .option("--status <status>", "UPLOADED, ACTIVE, REPLACED or EXPIRED").action(desk.does((input) =>
      Effect.gen(function*() {
        const status = yield* input.optionalChoice("status", ["UPLOADED", "ACTIVE", "REPLACED", "EXPIRED"])
        const entries = yield* (yield* ElementOversight).elements(yield* input.optionalId("organization", "organization"))
        return shownElements(entries.filter(({ element }) => status === undefined || element.status === status), yield* DateTime.now)
      })
    ))

const expiring = (desk: Desk) =>
  new Command("expiring").description("active elements whose certificates expire soon or have expired")
    .option("--days <number>", "default 60").action(desk.does((input) =>
      Effect.gen(function*() {
        const days = yield* input.wholeNumber("days", 60, 3_650)
        const now = yield* DateTime.now
        const entries = yield* (yield* ElementOversight).elements(null)
        const soon = ({ element }: ElementEntry) =>
          (element.status === "ACTIVE" || element.status === "EXPIRED") && daysUntil(element.validTo, now) < days
        return shownElements(entries.filter(soon), now)
      })
    ))

/** Options that name the file and where its secrets are; no secret is an argument. */
const withFile = (command: Command): Command =>
  command.requiredOption("--pfx <file>", "the element's PFX file")
    .option("--password-file <file>", "its password; - for the next line of standard input; else OVERA_PFX_PASSWORD")
    .option("--pac-file <file>", "its PAC; - for the next line of standard input; else OVERA_PFX_PAC")

const storeElement = Effect.fnUntraced(function*(input: Input) {
  const premiseId = yield* input.id("premise", input.argument(0))
  const act = yield* input.act
  const { entry, premise } = yield* findPremise(premiseId)
  const target = { environment: premise.environment, taxIdentifier: entry.taxpayer.taxIdentifier }
  const { facts, notes } = yield* readElement(input, input.text("pfx") ?? "", target)
  const id = yield* (yield* ElementActs).upload(act, entry.organizationId, premiseId, facts)
  return { id, facts, notes }
})

const upload = (desk: Desk) =>
  withFile(asAct(new Command("upload").description("checks a PFX against the premise and stores it, encrypted").argument("<premise>")))
    .action(desk.does((input) =>
      Effect.gen(function*() {
        const { facts, id, notes } = yield* storeElement(input)
        return {
          text: [`Uploaded ${facts.jid} as ${id}; valid until ${shownTime(facts.validTo)}. Activate it next.`, ...notes].join("\n"),
          json: { id, jid: facts.jid, validTo: facts.validTo, status: "UPLOADED", notes }
        }
      })
    ))

const runActivation = Effect.fnUntraced(function*(input: Input, elementId: SecurityElementId) {
  const act = yield* input.act
  const found = yield* (yield* ElementOversight).element(elementId)
  if (Option.isNone(found)) return yield* new Refusal({ sentence: `There is no security element ${elementId}.` })
  const { element, organizationId } = found.value
  const others = yield* (yield* ElementOversight).elements(organizationId)
  const former = others.map((it) => it.element).find((it) =>
    it.id !== element.id && it.businessPremiseId === element.businessPremiseId && it.status === "ACTIVE")
  if (former !== undefined) yield* input.confirm(`The premise's element ${former.jid} (${former.id}) is replaced for good.`)
  const operation = yield* activateElement({ tenant: { organizationId, environment: element.environment }, elementId, act })
  const number = operation.answer?.pfr.invoiceNumber ?? null
  return {
    text: `Activated ${element.jid}; the V-PFR signed Training document ${number}${former === undefined ? "" : `, and ${former.jid} is replaced`}.`,
    json: { id: elementId, status: "ACTIVE", trainingDocumentId: operation.id, invoiceNumber: number, replaced: former?.id ?? null }
  }
})

const activate = (desk: Desk) =>
  asFinalAct(new Command("activate").description("sends one Training document; its receipt makes the element ACTIVE").argument("<element>"))
    .action(desk.does((input) => Effect.flatMap(input.id("element", input.argument(0)), (id) => runActivation(input, id))))

const replace = (desk: Desk) =>
  withFile(asFinalAct(
    new Command("replace").description("uploads and activates in one step; until the activation is proven the former element stays active").argument("<premise>")
  )).action(desk.does((input) =>
    Effect.gen(function*() {
      const { id, notes } = yield* storeElement(input)
      const outcome = yield* runActivation(input, id)
      return { text: [outcome.text, ...notes].join("\n"), json: outcome.json }
    })
  ))

/** `elements`: the taxpayers' certificates. */
export const elements = (desk: Desk): Command =>
  withExamples(
    new Command("elements").description("security elements: upload, activate, replace, list")
      .addCommand(list(desk)).addCommand(expiring(desk)).addCommand(upload(desk)).addCommand(activate(desk)).addCommand(replace(desk)),
    [
      `elements upload <premise> --pfx element.pfx --password-file password.txt --pac-file pac.txt --reason "sent by the Owner"`,
      `elements activate <element> --reason "goes to production"`,
      `elements expiring --days 30`
    ]
  )
