import { type Environment, Installation, InstallationActs } from "@overa/domain"
import { Command } from "commander"
import { Effect } from "effect"
import type { Desk } from "../Desk.ts"
import { facts } from "../output/Outcome.ts"
import { Refusal } from "../Refusal.ts"
import { asAct, asFinalAct, withExamples } from "./describe.ts"

const environments = ["sandbox", "production"] as const

const show = (desk: Desk) =>
  new Command("show").description("both environments").action(desk.does((input) =>
    Effect.gen(function*() {
      const installation = yield* Installation
      const shown = yield* Effect.forEach(environments, (environment) =>
        Effect.map(installation.settings(environment), (settings) => ({
          environment,
          vpfr: input.config.vpfr[environment]?.baseUrl ?? null,
          trafficEnabled: settings.trafficEnabled,
          esirNumber: settings.esirNumber,
          vatCategories: [...settings.vatCategories],
          proformaReferences: settings.proformaReferences
        })))
      const text = shown.map((it) =>
        facts([
          [it.environment, it.trafficEnabled ? "traffic on" : "traffic off"],
          ["V-PFR", it.vpfr ?? "not configured here"],
          ["ESIR number", it.esirNumber || "none yet"],
          ["VAT categories", it.vatCategories.join(", ")],
          ["references to proformas", it.proformaReferences ? "on: a sale may name its proforma" : "off"]
        ])
      ).join("\n\n")
      return { text, json: { items: shown } }
    })
  ))

const traffic = (desk: Desk) =>
  asFinalAct(new Command("traffic").description("switches fiscal traffic on or off").argument("<environment>").argument("<on-or-off>"))
    .action(desk.does((input) =>
      Effect.gen(function*() {
        const environment: Environment = yield* input.choice("environment", input.argument(0), environments)
        const trafficEnabled = (yield* input.choice("traffic", input.argument(1), ["on", "off"])) === "on"
        const act = yield* input.act
        if (!trafficEnabled) yield* input.confirm(`No documents will be issued in ${environment}; requests in flight are finished, and unknown outcomes are searched for.`)
        yield* (yield* InstallationActs).changeEnvironment(act, environment, { trafficEnabled })
        return { text: `Traffic of ${environment} is ${trafficEnabled ? "on" : "off"}.`, json: { environment, trafficEnabled } }
      })
    ))

const set = (desk: Desk) =>
  asAct(
    new Command("set").description("sets the ESIR number, the VAT categories, or whether a sale may name its proforma").argument("<environment>")
      .option("--esir <number>", "as the tax authority assigned it, e.g. 1234/1.0").option("--vat-category <name...>")
      .option("--proforma-references <on-or-off>", "beyond the contract: a Normal Sale takes the proforma it arises from as its reference")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const environment: Environment = yield* input.choice("environment", input.argument(0), environments)
      const esirNumber = input.text("esir")
      const vatCategories = input.texts("vatCategory")
      if (esirNumber !== null && !/^[\x21-\x7e]{1,50}$/.test(esirNumber)) {
        return yield* new Refusal({ sentence: "--esir has 1 to 50 visible characters." })
      }
      const references = yield* input.optionalChoice("proformaReferences", ["on", "off"])
      const change = {
        ...(esirNumber === null ? {} : { esirNumber }),
        ...(vatCategories.length === 0 ? {} : { vatCategories }),
        ...(references === undefined ? {} : { proformaReferences: references === "on" })
      }
      if (Object.keys(change).length === 0) return yield* new Refusal({ sentence: "Say what to set: --esir, --vat-category or --proforma-references." })
      yield* (yield* InstallationActs).changeEnvironment(yield* input.act, environment, change)
      return { text: `Set in ${environment}.`, json: { environment, ...change } }
    })
  ))

/** `environment`: settings that apply to every organization in sandbox or production. */
export const environment = (desk: Desk): Command =>
  withExamples(
    new Command("environment").description("traffic, ESIR number and VAT categories of sandbox and production")
      .addCommand(show(desk)).addCommand(traffic(desk)).addCommand(set(desk)),
    [`environment show`, `environment traffic production off --reason "V-PFR maintenance tonight" --yes`, `environment set production --esir 1234/1.0 --reason "assigned 3 May"`]
  )
