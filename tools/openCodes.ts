/**
 * Codes of the error catalogue whose contract test is not built yet, each with the reason. `npm run rules` counts them as open and
 * fails on a code that is neither proven nor named here; one that has been proven meanwhile is to be taken out.
 */
export const openCodes: ReadonlyMap<string, string> = new Map()
