import type { EnvironmentName } from "../EnvironmentName.ts"

/** 1.3.6.1.4.1.49952.X.Y with X 3 production or 5 sandbox, Y 8 Serbia (V-PFR §9). */
export const taxCoreArc = (environment: EnvironmentName): string => `1.3.6.1.4.1.49952.${environment === "sandbox" ? 5 : 3}.8`
