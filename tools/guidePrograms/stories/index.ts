import type { Story } from "../Story.ts"
import { documents } from "./documents.ts"
import { reading } from "./reading.ts"

/** Every guide with requests, and what its programs do. */
export const stories: ReadonlyArray<Story> = [...documents, ...reading]
