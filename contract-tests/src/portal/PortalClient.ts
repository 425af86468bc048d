import { pageFolders } from "@overa/portal"
import { request } from "undici"

/** An answer of the portal. */
export interface PortalAnswer {
  readonly status: number
  /** Inside the place: `/receipts` for `/o/<organization>/sandbox/receipts`. */
  readonly location: string
  /** The place that the redirect leads to; empty where it names none. */
  readonly place: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
  /** Values of the cookies it sets, by name without prefix. */
  readonly cookies: ReadonlyMap<string, string>
}

const placeForm = /^\/o\/[^/]+\/[^/]+/

/** The first words of addresses that the portal serves in a place. */
const placed = new Set(pageFolders.flatMap(({ routes }) => routes).filter(({ access: { area } }) => area === "organization" || area === "person").map(({ path }) => path.split("/")[1]))
const isInPlace = (path: string): boolean => placed.has(/^\/([^/?#]*)/.exec(path)?.[1])

export interface Ask {
  /** Sends the address as it is, although it names no place. */
  readonly exactly?: boolean
  readonly session?: string
  readonly device?: string
  /** The state that is kept while a person is at the issuer. */
  readonly issuer?: string
  /** What was typed when a session had ended. */
  readonly kept?: string
  readonly form?: Readonly<Record<string, string>>
  /** Null sends none. */
  readonly origin?: string | null
  readonly fetchSite?: string
  readonly address?: string
  readonly userAgent?: string
}

const cookiesOf = (header: string | ReadonlyArray<string> | undefined): ReadonlyMap<string, string> =>
  new Map([header ?? []].flat().map((line) => {
    const [pair = ""] = line.split(";")
    const at = pair.indexOf("=")
    return [pair.slice(0, at).replace(/^(__Host-)?overa-/, ""), pair.slice(at + 1)] as const
  }))

/**
 * Sends requests to a portal as a browser would, without following redirects. An address without its place is asked for where the session was last, as a person who
 * follows the portal's links would.
 */
export class PortalClient {
  private readonly address: () => string
  /** Where each session was last, as an address begins. */
  private readonly places = new Map<string, string>()

  /** `address` is asked at each request: a client may be made before its portal is started. */
  constructor(address: () => string) {
    this.address = address
  }

  get origin(): string {
    return this.address()
  }

  async ask(method: "GET" | "POST", path: string, options: Ask = {}): Promise<PortalAnswer> {
    const { exactly = false, session = "" } = options
    const place = exactly || !isInPlace(path) ? "" : this.places.get(session) ?? ""
    const answer = await this.sendOnce(method, place + path, options)
    if (session !== "" && answer.place !== "") this.places.set(session, answer.place)
    const isOnlyPlaced = !exactly && method === "GET" && place === "" && answer.place !== "" && answer.location === path
    return isOnlyPlaced ? this.sendOnce(method, answer.place + path, options) : answer
  }

  private async sendOnce(method: "GET" | "POST", path: string, { address, device, fetchSite, form, issuer, kept, origin, session, userAgent }: Ask): Promise<PortalAnswer> {
    const cookies = [...(session === undefined ? [] : [`overa-session=${session}`]), ...(device === undefined ? [] : [`overa-device=${device}`]), ...(issuer === undefined ? [] : [`overa-issuer=${issuer}`]), ...(kept === undefined ? [] : [`overa-kept=${kept}`])]
    const answer = await request(this.origin + path, {
      method,
      headers: {
        ...(cookies.length === 0 ? {} : { cookie: cookies.join("; ") }),
        ...(method === "GET" || origin === null ? {} : { origin: origin ?? this.origin }),
        ...(fetchSite === undefined ? {} : { "sec-fetch-site": fetchSite }),
        ...(userAgent === undefined ? {} : { "user-agent": userAgent }),
        ...(address === undefined ? {} : { "x-forwarded-for": address }),
        ...(method === "GET" ? {} : { "content-type": "application/x-www-form-urlencoded" })
      },
      body: method === "GET" ? null : new URLSearchParams(form ?? {}).toString()
    })
    const text = await answer.body.text()
    const location = String(answer.headers["location"] ?? "")
    const place = placeForm.exec(location)?.[0] ?? ""
    return {
      status: answer.statusCode,
      location: location.slice(place.length) || (place === "" ? "" : "/"),
      place,
      headers: answer.headers,
      text,
      cookies: cookiesOf(answer.headers["set-cookie"])
    }
  }

  get(path: string, options: Ask = {}): Promise<PortalAnswer> {
    return this.ask("GET", path, options)
  }

  /** The proof in the forms of this session, read from a page. */
  async proof(session: string): Promise<string> {
    const account = await this.get("/account", { session })
    const { text } = account.status === 303 ? await this.get(account.location, { session }) : account
    return /name="proof" value="([^"]*)"/.exec(text)?.[1] ?? ""
  }

  /** Sends a form from a page of the session. */
  async send(path: string, session: string, form: Readonly<Record<string, string>> = {}, options: Ask = {}): Promise<PortalAnswer> {
    return this.ask("POST", path, { ...options, session, form: { proof: await this.proof(session), form: crypto.randomUUID(), ...form } })
  }
}
