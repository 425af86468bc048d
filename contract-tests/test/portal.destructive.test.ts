import { SecondFactors } from "@overa/domain"
import { pageFolders } from "@overa/portal"
import { Effect, Redacted } from "effect"
import { assert, beforeAll, describe, it } from "vitest"
import { everyPage } from "../src/portal/everyPage.ts"
import { issueSale } from "../src/portal/issueSale.ts"
import { password } from "../src/portal/portalStage.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { client, rowsOf, stage } = sharedPortal()

/** Acts of members and of persons that end or delete something. Every act of operators that warns is one besides. */
const destructive: ReadonlyArray<string> = [
  "/account/devices/forget", "/account/devices/forget-all", "/account/second-factor/off", "/account/second-factor/passkeys/remove/:passkey",
  "/account/sessions/end", "/account/sessions/end-all", "/account/sessions/end-one", "/credentials/revoke", "/members/remove", "/members/withdraw",
  "/receipts/searches/:search/remove", "/webhooks/:endpoint/status"
]

/** Acts of operators that end, erase or fix something for good. */
const byOperators: ReadonlyArray<string> = [
  "/operator/installation/roots/add", "/operator/installation/signers/add", "/operator/installation/token-keys/:kid/revoke", "/operator/organizations/:id/buyers/erase",
  "/operator/organizations/:id/credentials/:client/revoke", "/operator/organizations/:id/deliveries/erase", "/operator/organizations/:id/licence/suspend",
  "/operator/organizations/:id/members/remove", "/operator/organizations/:id/metadata/erase", "/operator/organizations/:id/taxpayers/:taxpayer/release", "/operator/people/erase",
  "/operator/people/password", "/operator/people/second-factor", "/operator/restore/begin", "/operator/restore/end"
]

interface ShownForm {
  readonly act: string
  readonly isDanger: boolean
  /** A second step: behind a disclosure that is closed, or on a page of its own that says what it does. */
  readonly isConfirmed: boolean
}

const acts = pageFolders.flatMap(({ routes }) => routes).filter(({ method }) => method === "POST").map(({ path }) => path)

/** The route of an address; a fixed one before one with parameters. */
const routeOf = (address: string): string => {
  const parts = address.split("?")[0]?.replace(/^\/o\/[^/]+\/[^/]+/, "").split("/") ?? []
  const fits = acts.filter((act) => {
    const names = act.split("/")
    return names.length === parts.length && names.every((name, at) => name.startsWith(":") || name === parts[at])
  })
  return fits.toSorted((one, other) => one.split(":").length - other.split(":").length)[0] ?? address
}

const formsOf = (html: string): ReadonlyArray<ShownForm> => {
  const closed = [...html.matchAll(/<details class="destructive"><summary[^>]*>[^<]+<\/summary><p>.+?<\/p>.*?<\/details>/gs)].map(({ 0: { length }, index }) => [index, index + length] as const)
  const ownPage = /class="card(?: narrow)? dangerous"/.exec(html)?.index ?? Number.POSITIVE_INFINITY
  return [...html.matchAll(/<form\b[^>]*action="([^"]*)".*?<\/form>/gs)].map(({ 0: form, 1: action = "", index }) => ({
    act: routeOf(action),
    isDanger: /<button[^>]*class="danger"/.test(form),
    isConfirmed: index > ownPage || closed.some(([from, to]) => index > from && index < to)
  }))
}

const shown: Array<ShownForm & { readonly page: string }> = []

beforeAll(async () => {
  const owner = await stage.session(stage.people.OWNER)
  await stage.session(stage.people.OWNER)
  await client.ask("POST", "/sign-in", { form: { email: stage.people.OWNER.email, password } })
  await client.send("/members/invite", owner, { email: "nova@primer.example", role: "SUPPORT" })
  await client.send("/webhooks/new", owner, { url: "https://shop.example/overa", reach: "all", signature: "v1", current: password })
  await client.send("/receipts/searches", owner, { query: "text=a", name: "Моја" })
  const factors = <A>(use: (it: SecondFactors["Service"]) => Effect.Effect<A, unknown>) => stage.run(Effect.orDie(Effect.flatMap(Effect.service(SecondFactors), use)))
  const act = { actor: "test", reason: "test" }
  const sale = await issueSale(stage)
  const session = await stage.session(stage.people.OWNER)
  await factors((it) => it.setAuthenticator(act, stage.people.OWNER.id, Redacted.make("A".repeat(32)), session))
  await factors((it) => it.addPasskey(act, stage.people.OWNER.id, { id: "k", publicKey: new Uint8Array([1]), counter: 0, transports: [], name: "Телефон" }, session))
  const again = await stage.session(stage.people.OWNER)
  await stage.session(stage.people.OWNER)
  await client.ask("POST", "/sign-in", { form: { email: stage.people.OWNER.email, password } })
  await rowsOf("insert into portal_devices (person_id, device_id, description, address, first_used_at, last_used_at) values ($1, repeat('d', 64), 'Телефон', '127.0.0.1', now() + interval '1 minute', now() + interval '1 minute')", [stage.people.OWNER.id])
  const operator = await stage.session(stage.people.OPERATOR)
  const home = `/operator/organizations/${stage.shop.organizationId}`
  await client.send(`${home}/open`, operator, { reason: "гледање", back: home })
  const pages = [...(await everyPage(stage, sale.id)).map(({ path, person }) => ({ path, person })), { path: "/account/second-factor/passkeys/remove/k", person: stage.people.OWNER }]
  for (const { path, person } of pages) {
    const { text } = await client.get(path, person === null ? {} : { session: person === stage.people.OPERATOR ? operator : again })
    for (const form of formsOf(text)) shown.push({ ...form, page: path })
  }
}, 240_000)

describe("an act that destroys", () => {
  it("has the button of danger and asks a second time, on every page", () => {
    const wrong = shown.filter(({ act, isConfirmed, isDanger }) => (destructive.includes(act) && act !== "/webhooks/:endpoint/status" || byOperators.includes(act)) && !(isDanger && isConfirmed))
    assert.deepStrictEqual(wrong, [])
  })

  it("each of them was seen, a webhook's removal beside its pause", () => {
    const seen = new Set(shown.filter(({ isConfirmed, isDanger }) => isDanger && isConfirmed).map(({ act }) => act))
    assert.deepStrictEqual([...destructive, ...byOperators].filter((act) => !seen.has(act)), [])
  })

  it("no other act of members looks like one, and no button of danger acts at once", () => {
    assert.deepStrictEqual(shown.filter(({ isConfirmed, isDanger }) => isDanger && !isConfirmed), [])
    assert.deepStrictEqual(shown.filter(({ act, isDanger }) => isDanger && !act.startsWith("/operator") && !destructive.includes(act)), [])
  })
})
