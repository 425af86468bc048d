export * as NbsCompanyRegister from "./NbsCompanyRegister.ts"
export type { NbsConfig } from "./NbsCompanyRegister.ts"
export * from "./standIn.ts"
