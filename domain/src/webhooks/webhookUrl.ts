import type { Environment } from "../tenancy/Environment.ts"

/**
 * What is wrong with an endpoint's address, or undefined. Where it leads to is checked at each connection and not here: a name may lead elsewhere
 * tomorrow.
 *
 * @example webhookUrlFault("http://shop.rs/hook", "production") // "must begin with https://"
 */
export const webhookUrlFault = (text: string, environment: Environment): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) ) return "must be a web address that begins with https://"
  if (url.protocol === "http:" && environment !== "sandbox") return "must begin with https://"
  if (url.username !== "" || url.password !== "") return "must not contain a user name or password; the signature shows who sends"
  return url.hash === "" ? undefined : "must not contain a fragment"
}
