import type { ActivationNotProven, PersonActRefused } from "@overa/domain"
import { Refusal, Trouble } from "./Refusal.ts"

/** The end of a failed command: the sentence for the person, and the exit code. Null for an unexpected error, which is a bug. */
export interface Ending {
  readonly sentence: string
  readonly exitCode: 1 | 2
}

interface Tagged {
  readonly _tag: string
  readonly detail?: string
  readonly reason?: string
  readonly reasons?: ReadonlyArray<string>
  readonly committed?: string
  readonly message?: string
}

const refused = (sentence: string): Ending => ({ sentence, exitCode: 2 })
const trouble = (sentence: string): Ending => ({ sentence, exitCode: 1 })

const notProven = ({ codes, failureCode, operationId, status }: ActivationNotProven): Ending => {
  const kept = "The element stays UPLOADED."
  if (status === "REJECTED") return refused(`The V-PFR rejected the Training document (${codes.join(", ")}). ${kept} See operation ${operationId}.`)
  if (status === "NOT_FISCALIZED") return trouble(`Nothing was signed (${failureCode ?? "unknown"}); try again. ${kept} See operation ${operationId}.`)
  return trouble(
    `Whether the Training document ${operationId} was signed is not known yet. ${kept} The worker searches for it; activate again later: no second document is sent.`
  )
}

const personRefusals: Readonly<Record<string, string>> = {
  PERSON_ALREADY_EXISTS: "There is a person with this address already.",
  PERSON_NOT_FOUND: "There is no such person.",
  MEMBER_ALREADY_EXISTS: "The person already has a role; remove it first with \"organizations remove-member\".",
  PERSON_HAS_ROLE: "The person still has a role; remove it first with \"organizations remove-member\"."
} satisfies Partial<Readonly<Record<PersonActRefused["reason"], string>>>

const byTag: Readonly<Record<string, (error: Tagged) => Ending>> = {
  ActRefused: (error) => refused(error.detail ?? "The act was refused."),
  ActivationRefused: (error) => refused(error.detail ?? "The activation was refused."),
  ActivationNotProven: (error) => notProven(error as unknown as ActivationNotProven),
  TaxpayerAlreadyExists: () => refused("A taxpayer with this tax identifier already exists in this environment."),
  PersonActRefused: (error) => refused(personRefusals[error.reason ?? ""] ?? "The act was refused."),
  DecisionRefused: (error) => refused(`Not decided: ${error.reason ?? "refused"}.`),
  GiveUpRefused: (error) => refused(`Not given up: ${error.reason ?? "refused"}.`),
  RetryRefused: (error) => refused(`Not sent: ${error.reason ?? "refused"}.`),
  FoundReceiptRefused: (error) => refused(`This is not the receipt of that operation: ${error.reasons?.join("; ") ?? "refused"}.`),
  PfxUnreadable: (error) => refused(`The file is no usable security element: ${error.detail ?? "unreadable"}.`),
  PfrSandboxNotConfigured: () => trouble("No V-PFR address is configured for this environment."),
  PfrEnvironmentDisabled: () =>
    refused("Traffic of this environment is switched off, or production has no ESIR number yet; see `environment show`."),
  RestoreInProgress: () => refused("A restore is in progress; see `restore status`."),
  CurrentTaxConfigurationUnavailable: () =>
    trouble("The V-PFR gave no tax configuration to this element; nothing was sent. Is the V-PFR reachable, and are key and PAC right?"),
  StoreUnavailable: (error) =>
    trouble(
      error.committed === "unknown"
        ? "The database stopped answering; it is not known whether the change was made. Check before you repeat it."
        : "The database does not answer; nothing was changed."
    ),
  PgFailure: () => trouble("The database does not answer; nothing was changed."),
  VpfrConnectionInvalid: (error) => trouble(`The V-PFR's settings cannot be used: ${error.detail ?? "invalid"}.`),
  EncryptionKeysInvalid: (error) => trouble(error.message ?? "OVERA_SECRET_KEYS cannot be used.")
}

/** The sentence and exit code of a known failure. */
export const endingOf = (error: unknown): Ending | null => {
  if (error instanceof Refusal) return refused(error.sentence)
  if (error instanceof Trouble) return trouble(error.sentence)
  if (typeof error !== "object" || error === null || !("_tag" in error)) return null
  return byTag[(error as Tagged)._tag]?.(error as Tagged) ?? null
}
