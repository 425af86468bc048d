import { Schema } from "effect"

/** The two environments of the tax authority; the credential decides which (Spec, Authentication 7). */
export const Environment = Schema.Literals(["sandbox", "production"])
export type Environment = typeof Environment.Type
