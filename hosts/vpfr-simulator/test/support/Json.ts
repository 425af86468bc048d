/** A parsed JSON document whose members tests read; a missing one fails the expectation. */
export type Json = ReturnType<typeof JSON.parse>
