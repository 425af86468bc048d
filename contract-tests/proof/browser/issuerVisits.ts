import type { IdentityIssuer } from "../../src/portal/identityIssuer.ts"
import type { PortalAnswer, PortalClient } from "../../src/portal/PortalClient.ts"

/** Visits to the portal that go by way of the issuer. */
export const issuerVisits = (issuer: () => IdentityIssuer, client: PortalClient) => {
  /** Follows the portal to the issuer, signs in there, and returns the address to which the issuer sends the browser back. */
  const signInThere = async (address: string, email: string, act = "sign-in"): Promise<string> => {
    const cookies = new Map<string, string>()
    const ask = async (url: string, form?: URLSearchParams): Promise<string> => {
      const header = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
      const answer = await fetch(new URL(url, issuer().url), { redirect: "manual", headers: { cookie: header }, ...(form === undefined ? {} : { method: "POST", body: form }) })
      for (const line of answer.headers.getSetCookie()) cookies.set(line.split("=")[0] ?? "", line.slice(line.indexOf("=") + 1).split(";")[0] ?? "")
      return answer.headers.get("location") ?? ""
    }
    const form = await ask(address)
    const resumed = await ask(form, new URLSearchParams({ act, email }))
    return ask(resumed)
  }

  const begin = async (next = "/account"): Promise<{ readonly answer: PortalAnswer; readonly cookie: string }> => {
    const answer = await client.get(`/sign-in/issuer?next=${encodeURIComponent(next)}`)
    return { answer, cookie: answer.cookies.get("issuer") ?? "" }
  }

  const comeBack = (address: string, cookie: string): Promise<PortalAnswer> => client.get(address.slice(client.origin.length), { issuer: cookie })

  /** The whole way, with an address that the issuer has checked. */
  const signInWith = async (email: string): Promise<PortalAnswer> => {
    const { answer, cookie } = await begin("/")
    return comeBack(await signInThere(answer.location, email), cookie)
  }

  return { begin, comeBack, signInThere, signInWith }
}
