export { type AdminConfig, adminConfig } from "./AdminConfig.ts"
export { type AdminServices, adminServices } from "./layers.ts"
export { runAdmin } from "./runAdmin.ts"
export type { Surroundings } from "./Surroundings.ts"
