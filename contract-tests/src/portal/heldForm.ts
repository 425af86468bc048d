import { request } from "node:http"
import { vi } from "vitest"
import { digestOf } from "./portalStage.ts"
import type { SharedPortal } from "./sharedPortal.ts"

/** How the portal answered the form. */
export interface HeldAnswer {
  readonly status: number
  readonly location: string
  /** Values of the cookies it sets, by name without prefix. */
  readonly cookies: ReadonlyMap<string, string>
}

export interface HeldForm {
  /** Sends the last byte. */
  readonly finish: () => Promise<HeldAnswer>
}

const cookiesOf = (lines: ReadonlyArray<string>): HeldAnswer["cookies"] =>
  new Map(lines.map((line) => {
    const [, name = "", value = ""] = /^(?:__Host-)?overa-(\w+)=([^;]*)/.exec(line) ?? []
    return [name, value] as const
  }))

/** Resolves when the portal has read the session, by its time of last use. */
const untilSeen = async ({ rowsOf }: SharedPortal, session: string, begin: () => void): Promise<void> => {
  await rowsOf("update portal_sessions set seen_at = now() - interval '2 minutes' where digest = $1", [digestOf(session)])
  begin()
  await vi.waitUntil(async () => (await rowsOf("select from portal_sessions where digest = $1 and seen_at > now() - interval '1 minute'", [digestOf(session)])).length > 0, 10_000)
}

/** Sends a form of the session but its last byte; resolves when the portal has looked at the session and waits for the rest. */
export const holdForm = async (portal: SharedPortal, path: string, session: string, fields: Readonly<Record<string, string>>): Promise<HeldForm> => {
  const { client } = portal
  const form = new URLSearchParams({ proof: await client.proof(session), form: crypto.randomUUID(), ...fields }).toString()
  const headers = { cookie: `overa-session=${session}`, origin: client.origin, "content-type": "application/x-www-form-urlencoded", "content-length": String(Buffer.byteLength(form)) }
  const sent = request(client.origin + path, { method: "POST", headers })
  const answered = new Promise<HeldAnswer>((resolve, reject) => {
    sent.once("error", reject)
    sent.once("response", (response) => {
      response.resume()
      response.once("end", () => resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? "", cookies: cookiesOf(response.headers["set-cookie"] ?? []) }))
    })
  })
  answered.catch(() => undefined)
  await untilSeen(portal, session, () => void sent.write(form.slice(0, -1)))
  return {
    finish: () => {
      sent.end(form.slice(-1))
      return answered
    }
  }
}
