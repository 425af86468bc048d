import type { Environment } from "@overa/domain"
import type { Say } from "./Language.ts"

const environments: Readonly<Record<Environment, readonly [serbian: string, english: string]>> = { production: ["Продукција", "Production"], sandbox: ["Тестно окружење", "Sandbox"] }

/** The words for an environment in both languages. */
export const environmentPair = (environment: Environment): readonly [serbian: string, english: string] => environments[environment]

/** An environment as the header and the pages name it. */
export const environmentWords = (say: Say, environment: Environment): string => say(...environments[environment])
