import { VpfrClocks } from "@overa/adapter-vpfr"
import {
  AccessOversight, backUpStep, certificateStep, chainStep, clockStep, credentialStep, Installation, InstallationOversight, installationStep, inOrder, isReady,
  licenceStep, mailStep, pakStep, paperStep, permittedLabel, premiseStep, ratesStep, readBackStep, type RehearsalStep, trainingStep, vpfrStep
} from "@overa/domain"
import { Command } from "commander"
import { DateTime, Effect } from "effect"
import type { Desk } from "../Desk.ts"
import type { Input } from "../input/Input.ts"
import { countCredentials, readChain, readMail, readRates, readShop, type Shop } from "../rehearsal/readPlace.ts"
import { drawPapers, readItBack, runTraining } from "../rehearsal/runTrial.ts"
import { asAct, withExamples } from "./describe.ts"

/** What can be read without issuing anything. */
const placeSteps = Effect.fnUntraced(function*(shop: Shop) {
  const now = yield* DateTime.now
  const { environment, organizationId } = shop.tenant
  return [
    installationStep(yield* (yield* Installation).settings(environment), environment),
    premiseStep(shop.premise),
    certificateStep(shop.active?.element ?? null, shop.uploaded?.element ?? null, now),
    licenceStep(yield* (yield* AccessOversight).license(organizationId), environment, now),
    credentialStep(yield* countCredentials(shop), environment)
  ]
})

/** The steps that ask the V-PFR, the last of which needs a signed Training document. */
const trialSteps = Effect.fnUntraced(function*(input: Input, shop: Shop) {
  const { config } = input
  const { actor } = yield* input.act
  const { environment } = shop.tenant
  const { group, labels, rates, vpfr } = { group: null, ...yield* readRates(shop) }
  const settings = yield* (yield* Installation).settings(environment)
  const permitted = group === null ? undefined : permittedLabel(group, shop.taxpayer.vatStatus, settings)
  const tried = yield* runTraining(shop, labels.length > 0 ? labels : permitted === undefined ? [] : [permitted], actor)
  const papers = yield* drawPapers(shop, tried)
  return [
    chainStep(yield* readChain(shop, config), environment, shop.taxpayer.taxIdentifier),
    vpfrStep(vpfr, config.vpfr[environment]?.baseUrl ?? "The V-PFR"),
    clockStep(tried.trial, yield* (yield* VpfrClocks).secondsTooFarAhead),
    ratesStep(rates),
    trainingStep(tried.trial),
    pakStep(tried.trial),
    readBackStep(yield* readItBack(shop, tried, group, config)),
    paperStep(papers.drawn, papers.branding)
  ]
})

const runRehearsal = Effect.fnUntraced(function*(input: Input) {
  const shop = yield* readShop(yield* input.id("premise", input.argument(0)))
  const statedAt = yield* input.instant("backedUpAt")
  const archive = yield* (yield* InstallationOversight).archive
  const steps = [
    ...yield* placeSteps(shop),
    ...yield* trialSteps(input, shop),
    mailStep(yield* readMail(shop, input.config)),
    backUpStep({ archive, statedAt }, yield* DateTime.now)
  ]
  return { shop, steps: inOrder(steps) }
})

const shownState: Readonly<Record<RehearsalStep["state"], string>> = { GREEN: "green", RED: "RED", NOT_USED: "not used", NOT_TRIED: "not tried" }

const shown = ({ found, state, step, todo }: RehearsalStep): string => {
  const line = `${shownState[state].padEnd(9)}  ${step.padEnd(12)}  ${found}`
  return todo === null ? line : `${line}\n${" ".repeat(25)}→ ${todo.who} ${todo.what}.`
}

/** `rehearse`: everything that the first real sale will need, tried with a Training document. */
export const rehearse = (desk: Desk): Command =>
  withExamples(
    asAct(
      new Command("rehearse").description("rehearses going live: tries all that a sale needs, and has one Training document signed; nothing else is issued")
        .argument("<premise>").option("--backed-up-at <time>", "when the newest back-up ended, where the database does not archive itself")
    ).action(desk.does((input) =>
      Effect.gen(function*() {
        const { shop, steps } = yield* runRehearsal(input)
        const ready = isReady(steps)
        const ending = ready ? "Ready: every step works." : "Not ready: see the steps that are not green."
        return {
          text: [`${shop.taxpayer.name}, ${shop.premise.name} (${shop.premise.environment})`, ...steps.map(shown), ending].join("\n"),
          json: { premise: shop.premise.id, environment: shop.premise.environment, ready, steps },
          exitCode: ready ? 0 : 3
        }
      })
    )),
    [`rehearse <premise> --backed-up-at 2026-08-29T02:00:00Z --reason "before the shop goes live"`]
  )
