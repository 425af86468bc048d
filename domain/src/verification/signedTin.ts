import type { Environment } from "../tenancy/Environment.ts"

/**
 * A seller's TIN as the V-PFR signs it: in the sandbox `RS` stands before the nine digits (V-PFR §7.4).
 *
 * @param tin With or without `RS`, as the element's certificate has it.
 * @example signedTin("111911206", "sandbox") // "RS111911206"
 */
export const signedTin = (tin: string, environment: Environment): string => environment === "sandbox" && !tin.startsWith("RS") ? `RS${tin}` : tin
