/** Every rule as values and tables: no effect, no clock, no network. */
export * from "./catalogue.ts"
export * from "./documents.ts"
export * from "./journal.ts"
export * from "./money.ts"
export * from "./requests.ts"
export * from "./tenancy.ts"
export * from "./verification.ts"
export * from "./workflows.ts"
