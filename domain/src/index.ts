/**
 * Everything the package offers, in one place for hosts that need most of it. Whoever needs less imports a part (`@overa/domain/rules`,
 * `/ports`, `/use-cases`, `/verification`, …): each names its exports one by one in `surface/`, where new ones are added.
 */
export * from "./surface/ports.ts"
export * from "./surface/rules.ts"
export * from "./surface/useCases.ts"
