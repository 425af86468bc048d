import type { Patience } from "./CommitBatcher.ts"

/**
 * How long a commit may take before its caller is told that the outcome is unknown. A row that is sent has the eight seconds after which the server
 * cancels a statement; a row that could not be sent before is refused, and was certainly not stored.
 */
export const patience: Patience = { inLineMillis: 4_000, altogetherMillis: 12_500 }
