import type { Environment } from "@overa/domain"
import { Effect, Schema } from "effect"
import { SandboxProblem } from "./SandboxProblem.ts"

/** The company that the simulator issues an element to. */
export interface ElementOrder {
  readonly environment: Environment
  readonly businessName: string
  readonly tin: string
  readonly locationName: string
  readonly address: string
  readonly city: string
  /** The JID whose key pair is used again; creating key pairs takes time. */
  readonly sameKeyAs?: string
}

const IssuedElement = Schema.Struct({
  jid: Schema.String,
  pfxBase64: Schema.String,
  password: Schema.String,
  pac: Schema.String
})
/** An element as its taxpayer receives it: the file, its password, the PAC. */
export type IssuedElement = typeof IssuedElement.Type

const Authority = Schema.Struct({ rootPem: Schema.String })
const Authorities = Schema.Struct({ sandbox: Authority, production: Authority })

const call = <A, I>(url: string, schema: Schema.Codec<A, I>, body?: unknown) =>
  Effect.tryPromise({
    try: async () => {
      const answer = await fetch(url, body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
      return answer.json() as Promise<unknown>
    },
    catch: (cause) => new SandboxProblem({ line: `the V-PFR simulator did not answer ${url}: ${(cause as Error).message}` })
  }).pipe(
    Effect.timeoutOrElse({
      duration: "20 seconds",
      orElse: () => Effect.fail(new SandboxProblem({ line: `the V-PFR simulator did not answer ${url} within 20 s` }))
    }),
    Effect.flatMap(Schema.decodeUnknownEffect(schema)),
    Effect.catchTag("SchemaError", (error) =>
      Effect.fail(new SandboxProblem({ line: `the V-PFR simulator answered ${url} in an unknown form: ${error.message}` })))
  )

/** Has the simulator issue an element, as the tax authority's portal would. */
export const issueElement = (controlUrl: string, order: ElementOrder): Effect.Effect<IssuedElement, SandboxProblem> =>
  call(`${controlUrl}/elements`, IssuedElement, order)

/** The roots that an operator would get from the tax authority, one per environment. */
export const trustAnchors = (controlUrl: string): Effect.Effect<typeof Authorities.Type, SandboxProblem> =>
  call(`${controlUrl}/ca`, Authorities)
