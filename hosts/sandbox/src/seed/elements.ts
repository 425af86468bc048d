import { chainsToRoot, elementFacts } from "@overa/adapter-vpfr"
import { parsePfx } from "@overa/adapter-vpfr/parsePfx"
import type { Environment } from "@overa/domain"
import { Clock, Effect, Redacted } from "effect"
import { SandboxProblem } from "../SandboxProblem.ts"
import { type ElementOrder, type IssuedElement, issueElement } from "../SimulatorControl.ts"
import type { Company } from "./companies.ts"

/** The element's subject for a company; the simulator puts its mark in front of the name. */
export const orderFor = (company: Company): ElementOrder => {
  const [premise] = company.taxpayer.businessPremises
  return {
    environment: company.environment,
    businessName: company.taxpayer.name,
    tin: company.taxpayer.taxIdentifier,
    locationName: premise?.name ?? company.taxpayer.name,
    address: company.taxpayer.address ?? "",
    city: company.taxpayer.city ?? ""
  }
}

const unusable = (issued: IssuedElement, why: string) => new SandboxProblem({ line: `the element ${issued.jid} cannot be used: ${why}` })

/** Reads and checks the file as the operator's upload does, but in this process: nobody is served yet, and the simulator's files are not hostile. */
const factsOf = Effect.fnUntraced(function*(issued: IssuedElement, company: Company, roots: string) {
  const now = yield* Clock.currentTimeMillis
  const file = yield* Effect.try({
    try: () => parsePfx(Buffer.from(issued.pfxBase64, "base64"), issued.password, now),
    catch: (error) => unusable(issued, error instanceof Error ? error.message : String(error))
  })
  if (!chainsToRoot(file.certificateChainPem, roots, now)) {
    return yield* unusable(issued, "it does not come from the environment's root")
  }
  return elementFacts(file, Redacted.make(issued.pac), company.taxpayer.taxIdentifier)
})

/** The V-PFR simulator that issues elements, and its roots. */
export interface FarEnd {
  readonly controlUrl: string
  readonly roots: Readonly<Record<Environment, string>>
}

/** Has an element issued and reads it. `keysOf` lets spare elements share a key pair, because creating one takes time. */
export const newElement = Effect.fn("newElement")(function*(farEnd: FarEnd, company: Company, keysOf?: string) {
  const order = orderFor(company)
  const issued = yield* issueElement(farEnd.controlUrl, keysOf === undefined ? order : { ...order, sameKeyAs: keysOf })
  return yield* factsOf(issued, company, farEnd.roots[company.environment])
})
