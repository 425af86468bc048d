/** The steps of a rehearsal of going live, judged from facts. */
export { type EndingLabels, endingLabelsOf } from "../catalogue/ratesWarning.ts"
export { type EndingLabel, endingLabels, labelWarningDays } from "../catalogue/endingLabels.ts"
export { type BackUpFound, backUpStep } from "../going-live/backUpStep.ts"
export {
  certificateStep, type ChainFound, chainStep, credentialStep, installationStep, licenceStep, premiseStep, ratesStep
} from "../going-live/placeSteps.ts"
export {
  type InBoth, inOrder, isReady, type RehearsalActor, type RehearsalStep, type RehearsalStepName, rehearsalSteps
} from "../going-live/RehearsalStep.ts"
export { type DrawnPaper, type MailFound, mailStep, paperStep, type WebhookFound, webhooksStep } from "../going-live/shopSteps.ts"
export { clockStep, pakStep, type ReadBack, readBackStep, trainingStep, type Trial, type VpfrFound, vpfrStep } from "../going-live/trialSteps.ts"
export { permittedLabel } from "../tax/permittedLabel.ts"
