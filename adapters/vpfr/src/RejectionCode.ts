/** Codes for a fault of the request itself: 2310 and 28xx. 2809 concerns the element (V-PFR §4; Decisions §4). */
export const isRequestFault = (code: string): boolean => code === "2310" || (/^28\d\d$/.test(code) && code !== "2809")

/** Codes with which the V-PFR refuses to sign for this element: not configured, locked, unreachable, unsupported, expired (V-PFR §4; Decisions §4). */
const elementFaults: ReadonlySet<string> = new Set(["2400", "2210", "2220", "2230", "2809"])
export const isElementFault = (code: string): boolean => elementFaults.has(code)
