export { readShop } from "./readPlace.ts"
export { type RehearsalConfig, rehearseShop } from "./rehearseShop.ts"
