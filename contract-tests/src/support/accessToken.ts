import type { ClientCredential } from "../http/ApiTarget.ts"

/** An access token of a credential. Rejects where the token endpoint gives none. */
export const accessToken = async ({ authUrl }: { readonly authUrl: string }, { clientId, clientSecret }: ClientCredential): Promise<string> => {
  const body = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret })
  const answer = await fetch(authUrl, { method: "POST", body })
  if (!answer.ok) throw new Error(`no token: ${answer.status} ${await answer.text()}`)
  return (await answer.json() as { readonly access_token: string }).access_token
}
