declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http"

  /** The part of the library that the tests use. */
  export default class Provider {
    constructor(issuer: string, configuration: object)
    readonly callback: () => (request: IncomingMessage, response: ServerResponse) => void
    readonly interactionFinished: (request: IncomingMessage, response: ServerResponse, result: object) => Promise<void>
    readonly Grant: new(facts: { readonly clientId: string; readonly accountId: string }) => { readonly addOIDCScope: (scope: string) => void; readonly save: () => Promise<string> }
  }
}
