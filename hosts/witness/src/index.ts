export { runWitness, type WitnessIo } from "./runWitness.ts"
export { type RunningWitness, serveWitness, type WitnessSettings } from "./serveWitness.ts"
export { WitnessState } from "./WitnessState.ts"
