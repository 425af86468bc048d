/** The steps of a rehearsal, in the order in which they are shown. */
export const rehearsalSteps = [
  "installation",
  "premise",
  "certificate",
  "chain",
  "v-pfr",
  "clock",
  "rates",
  "licence",
  "credential",
  "mail",
  "webhooks",
  "back-up",
  "training",
  "pak",
  "read-back",
  "paper"
] as const
export type RehearsalStepName = (typeof rehearsalSteps)[number]

/** One sentence in the two languages of the portal. */
export type InBoth = readonly [serbian: string, english: string]

/** Who can put a step right. */
export type RehearsalActor = "the owner" | "the operator" | "the tax authority"

/**
 * One step of a rehearsal of going live.
 *
 * - `GREEN`: it works; `found` says what was seen.
 * - `RED`: it does not; `who` does `what`.
 * - `NOT_USED`: the shop does not use it, so it stops nothing.
 * - `NOT_TRIED`: a step before it must work first.
 */
export interface RehearsalStep {
  readonly step: RehearsalStepName
  readonly state: "GREEN" | "RED" | "NOT_USED" | "NOT_TRIED"
  readonly found: InBoth
  /** `what` follows the name of who does it, without a full stop. */
  readonly todo: { readonly who: RehearsalActor; readonly what: InBoth } | null
}

const step = (state: RehearsalStep["state"]) => (name: RehearsalStepName, found: InBoth): RehearsalStep => ({ step: name, state, found, todo: null })

export const green = step("GREEN")
export const notUsed = step("NOT_USED")
export const notTried = step("NOT_TRIED")

export const red = (name: RehearsalStepName, found: InBoth, who: RehearsalActor, what: InBoth): RehearsalStep => ({
  step: name,
  state: "RED",
  found,
  todo: { who, what }
})

/** The shop may go live: every step works, or is not used. */
export const isReady = (steps: ReadonlyArray<Pick<RehearsalStep, "state">>): boolean =>
  steps.length > 0 && steps.every(({ state }) => state === "GREEN" || state === "NOT_USED")

/** The steps in the order in which they are shown. */
export const inOrder = (steps: ReadonlyArray<RehearsalStep>): ReadonlyArray<RehearsalStep> =>
  steps.toSorted((a, b) => rehearsalSteps.indexOf(a.step) - rehearsalSteps.indexOf(b.step))
