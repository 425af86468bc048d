import { Schema } from "effect"

/** Where the refused labels stand in the request. Absent where the lines are those of a stored document. */
const LabelDetails = Schema.optionalKey(Schema.Array(Schema.Struct({ pointer: Schema.String, message: Schema.String })))

/**
 * Labels that are not in the configuration that was asked. For a look-alike letter the message names the label that was probably meant (Decisions
 * §1).
 */
export class TaxLabelNotCurrent extends Schema.TaggedError<TaxLabelNotCurrent>()("TaxLabelNotCurrent", {
  invalidLabels: Schema.Array(Schema.String),
  details: LabelDetails,
  message: Schema.String
}) {
  readonly code = "TAX_LABEL_NOT_CURRENT"
}

/** VAT labels on a receipt of a taxpayer outside the VAT system. Source: Spec, Errors, Catalogue. */
export class TaxLabelNotAllowedOutsideVat
  extends Schema.TaggedError<TaxLabelNotAllowedOutsideVat>()("TaxLabelNotAllowedOutsideVat", {
    invalidLabels: Schema.Array(Schema.String),
    details: LabelDetails
  })
{
  readonly code = "TAX_LABEL_NOT_ALLOWED_OUTSIDE_VAT"
}

/** No fresh tax configuration: nothing is reserved or sent. Source: Spec, Errors, Catalogue; Decisions §2. */
export class CurrentTaxConfigurationUnavailable
  extends Schema.TaggedError<CurrentTaxConfigurationUnavailable>()("CurrentTaxConfigurationUnavailable", {})
{
  readonly code = "CURRENT_TAX_CONFIGURATION_UNAVAILABLE"
}
