import { Context } from "effect"

/** The key of the request that a fiber works for; null for a worker or an operator. */
export const AskedUnder = Context.Reference<string | null>("@overa/contract-tests/worlds/AskedUnder", { defaultValue: () => null })
