import { type DateTime, Schema } from "effect"

/** The two environments of the tax authority; the credential decides which (Spec, Authentication 7). */
export const Environment = Schema.Literals(["sandbox", "production"])
export type Environment = typeof Environment.Type

/** What the operator has set for an environment of this installation. */
export interface EnvironmentSettings {
  /** False: no V-PFR address is configured (503 PFR_SANDBOX_NOT_CONFIGURED). */
  readonly adapterConfigured: boolean
  /** False: fiscal traffic is switched off (503 PFR_ENVIRONMENT_DISABLED). */
  readonly trafficEnabled: boolean
  /** True: the operator has declared a restore and not ended it (503 RESTORE_IN_PROGRESS). */
  readonly restoring: boolean
  /** When the last declared restore was ended; null where there was none. */
  readonly restoredAt: DateTime.Utc | null
  /** Empty until the tax authority assigns it. */
  readonly esirNumber: string
  /** Category names whose labels are VAT labels (Decisions §1). */
  readonly vatCategories: ReadonlySet<string>
  /**
   * Whether a Normal Sale may name the proforma it arises from, as the tax authority's questionnaire asks. The contract has no such reference, so it is off
   * until an operator switches it on (docs/adr/0208).
   */
  readonly proformaReferences: boolean
}
