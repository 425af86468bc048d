export * from "./contract.ts"
export * from "./errors.ts"
export * from "./OveraClient.ts"
export type { Surroundings } from "./Surroundings.ts"
