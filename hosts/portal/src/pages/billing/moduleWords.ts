import type { LicenseModule } from "@overa/domain"
import type { Say } from "../../language/Language.ts"

/** A licence's module as the invoice names it. */
export const moduleWords = (say: Say, module: LicenseModule): string =>
  module === "advance" ? say("Модул за авансе", "Module for advances") : say("Модул за слање е-поштом", "Module for sending by e-mail")
