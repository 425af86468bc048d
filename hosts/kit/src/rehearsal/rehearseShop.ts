import { type MailConnection } from "@overa/adapter-mail"
import { VpfrClocks, type VpfrEnvironment } from "@overa/adapter-vpfr"
import {
  type Act, AccessOversight, backUpStep, certificateStep, chainStep, clockStep, credentialStep, type Environment, Installation, InstallationOversight, installationStep,
  inOrder, isReady, licenceStep, mailStep, pakStep, paperStep, permittedLabel, premiseStep, ratesStep, readBackStep, RecordActs, trainingStep, vpfrStep, webhooksStep
} from "@overa/domain"
import { DateTime, Effect } from "effect"
import { countCredentials, readChain, readMail, readRates, type Shop } from "./readPlace.ts"
import { readWebhooks } from "./readWebhooks.ts"
import { drawPapers, readItBack, runTraining } from "./runTrial.ts"

/** The host's settings that a rehearsal tries. */
export interface RehearsalConfig {
  readonly vpfr: Partial<Record<Environment, VpfrEnvironment>>
  readonly mail: MailConnection | null
}

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
const trialSteps = Effect.fnUntraced(function*(shop: Shop, config: RehearsalConfig, actor: string) {
  const { environment } = shop.tenant
  const { group, labels, rates, vpfr } = { group: null, ...yield* readRates(shop) }
  const settings = yield* (yield* Installation).settings(environment)
  const permitted = group === null ? undefined : permittedLabel(group, shop.taxpayer.vatStatus, settings)
  const tried = yield* runTraining(shop, labels.length > 0 ? labels : permitted === undefined ? [] : [permitted], actor)
  const papers = yield* drawPapers(shop, tried)
  return [
    chainStep(yield* readChain(shop, config), environment, shop.taxpayer.taxIdentifier),
    vpfrStep(vpfr, config.vpfr[environment]?.baseUrl ?? "V-PFR"),
    clockStep(tried.trial, yield* (yield* VpfrClocks).secondsTooFarAhead),
    ratesStep(rates),
    trainingStep(tried.trial),
    pakStep(tried.trial),
    readBackStep(yield* readItBack(shop, tried, group, config)),
    paperStep(papers.drawn, papers.branding)
  ]
})

/** Everything that the first real sale will need, tried with one Training document; nothing else is issued. */
export const rehearseShop = Effect.fn("rehearseShop")(function*(
  shop: Shop,
  given: { readonly config: RehearsalConfig; readonly act: Act; readonly backedUpAt: DateTime.Utc | null }
) {
  const archive = yield* (yield* InstallationOversight).archive
  const steps = [
    ...yield* placeSteps(shop),
    ...yield* trialSteps(shop, given.config, given.act.actor),
    mailStep(yield* readMail(shop, given.config)),
    webhooksStep(yield* readWebhooks(shop)),
    backUpStep({ archive, statedAt: given.backedUpAt }, yield* DateTime.now)
  ]
  const after = JSON.stringify({ ready: isReady(steps), red: steps.filter(({ state }) => state === "RED").map(({ step }) => step) })
  yield* (yield* RecordActs).record(given.act, { organizationId: shop.tenant.organizationId, act: "going live rehearsed", subject: shop.premise.id, after })
  return inOrder(steps)
})
