import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import Provider from "oidc-provider"

/** An OpenID Connect issuer with a page that signs in anyone under the name in the form. */
export interface IdentityIssuer {
  readonly url: string
  readonly clientSecret: string
  /** From then on somebody between the issuer and the portal adds these claims to ID tokens, and cannot sign them; null: nobody. */
  readonly forge: (claims: object | null) => void
  /** From then on the account has another address, which another account may have had. */
  readonly changeAddress: (account: string, email: string) => void
  /** From then on it does not answer. */
  readonly stop: () => Promise<void>
}

interface IssuerContext {
  readonly oidc: {
    readonly provider: Provider
    readonly client: { readonly clientId: string }
    readonly session: { readonly accountId: string }
  }
}

/** An address with this prefix was never verified. */
export const unverified = "unverified+"

const signInForm = `<!doctype html><html lang="en"><title>Issuer</title><main><form method="post"><label>E-mail <input name="email" autofocus></label>
<button name="act" value="sign-in">Sign in</button><button name="act" value="cancel">Cancel</button></form></main></html>`

const configuration = (returnTo: string, clientSecret: string, addresses: ReadonlyMap<string, string>) => ({
  clients: [{ client_id: "portal", client_secret: clientSecret, redirect_uris: [returnTo], response_types: ["code"], grant_types: ["authorization_code"] }],
  cookies: { keys: [randomBytes(16).toString("hex")] },
  claims: { openid: ["sub"], email: ["email", "email_verified"] },
  features: { devInteractions: { enabled: false } },
  ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  pkce: { required: () => true },
  interactions: { url: (_context: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
  findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, email: addresses.get(id) ?? id.replace(unverified, ""), email_verified: !id.startsWith(unverified) }) }),
  loadExistingGrant: async ({ oidc: { client, provider, session } }: IssuerContext) => {
    const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
    grant.addOIDCScope("openid email")
    await grant.save()
    return grant
  }
})

/** The ID token of an answer with more claims, under the old signature. */
const withClaims = (answer: string, claims: object): string => {
  const told = JSON.parse(answer) as { readonly id_token: string }
  const [header = "", payload = "", signature = ""] = told.id_token.split(".")
  const forged = { ...JSON.parse(Buffer.from(payload, "base64url").toString()) as object, ...claims }
  return JSON.stringify({ ...told, id_token: [header, Buffer.from(JSON.stringify(forged)).toString("base64url"), signature].join(".") })
}

/** Changes what is answered on the way. */
const changeAnswer = (response: ServerResponse, change: (answer: string) => string): void => {
  const end = response.end.bind(response) as (text: string) => ServerResponse
  response.end = ((answer: string) => {
    const changed = change(String(answer))
    response.setHeader("content-length", Buffer.byteLength(changed))
    return end(changed)
  }) as typeof response.end
}

const formOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = ""
  for await (const chunk of request) text += String(chunk)
  return new URLSearchParams(text)
}

const addressOf = (server: Server): string => {
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
}

/** Starts an issuer that knows a portal by the address to which browsers return. */
export const startIdentityIssuer = async (returnTo: string): Promise<IdentityIssuer> => {
  const clientSecret = randomBytes(16).toString("hex")
  const server = createServer()
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = addressOf(server)
  const addresses = new Map<string, string>()
  const provider = new Provider(url, configuration(returnTo, clientSecret, addresses))
  const serve = provider.callback()
  let forged: object | null = null
  server.on("request", (request, response) => {
    const claims = forged
    if (claims !== null && request.url === "/token") changeAnswer(response, (answer) => withClaims(answer, claims))
    if (request.url?.startsWith("/interaction/") !== true) return serve(request, response)
    if (request.method === "GET") return response.setHeader("content-type", "text/html").end(signInForm)
    return void formOf(request).then((form) =>
      provider.interactionFinished(request, response, form.get("act") === "sign-in" ? { login: { accountId: form.get("email") } } : { error: "access_denied" }))
  })
  return {
    url,
    clientSecret,
    forge: (claims) => {
      forged = claims
    },
    changeAddress: (account, email) => void addresses.set(account, email),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    }
  }
}
