/** A parsed JSON document whose members tests reach into; what is not there fails the expectation. */
export type Json = ReturnType<typeof JSON.parse>
