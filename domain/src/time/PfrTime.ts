import { DateTime, Option, Schema } from "effect"

/**
 * The V-PFR's signing time exactly as it wrote it: digits and offset kept (`2024-02-29T17:07:27.4551405+01:00`), because it is
 * echoed in answers and referenced by refunds and copies digit for digit. Source: Spec, Resources, PfrResult; Decisions §1.
 */
export const PfrTime = Schema.String.pipe(Schema.brand("PfrTime"))
export type PfrTime = typeof PfrTime.Type

/** The instant of a PFR time, cut to milliseconds; none when the text is no time. */
export const pfrInstant = (time: string): Option.Option<DateTime.Utc> => Option.map(DateTime.make(time), DateTime.toUtc)
