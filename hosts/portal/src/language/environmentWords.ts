import type { Environment } from "@overa/domain"
import type { Say } from "./Language.ts"

/** An environment as the header and the pages name it. */
export const environmentWords = (say: Say, environment: Environment): string =>
  environment === "production" ? say("Продукција", "Production") : say("Тестно окружење", "Sandbox")
