import { generateKeyPairSync, randomUUID } from "node:crypto"
import { assert, vi } from "vitest"
import { totpCode } from "../support/totpCode.ts"
import { fieldsOf, fillAndSend } from "./filledForm.ts"
import { byHand, refundEntries, saleEntries } from "./byHand.ts"
import { issueSale } from "./issueSale.ts"
import { mailedToken } from "./mailedLinks.ts"
import { digestOf, password } from "./portalStage.ts"
import type { SharedPortal } from "./sharedPortal.ts"
import { whileNobodyKnows } from "./loseAnswers.ts"

type Portal = Pick<SharedPortal, "client" | "rowsOf" | "stage">

/** Carries out one act, under the path of its route. */
export type Tracked = (path: string, act: () => Promise<unknown>) => Promise<void>

const documents = async ({ client, rowsOf, stage }: Portal, owner: string, tracked: Tracked) => {
  const { confirmed, draft, issue } = byHand({ client, rowsOf })
  const sale = await issueSale(stage)
  await tracked("/receipts/:id/copy", () => fillAndSend(client, owner, `/receipts/${sale.id}/copy`, { cashier: "Ана" }))
  /** Only the sending is the act: the preview before it leaves nothing. */
  const issued = async (route: string, page: string, entries: Readonly<Record<string, string>>) => {
    const address = await draft(owner, page)
    const form = await confirmed(address, owner, entries)
    await tracked(route, () => client.send(address, owner, form))
  }
  await issued("/receipts/:id/refund/:draft", `/receipts/${sale.id}/refund`, refundEntries)
  const entries = saleEntries(stage.shop.businessPremiseId, "ručno-1")
  await issued("/issue/:draft", "/issue", entries)
  const proforma = await issue(await draft(owner, "/issue"), owner, { ...entries, kind: "PROFORMA", "payment-0": "OTHER" })
  await issued("/receipts/:proforma/whole-refund/:draft", `/receipts/${proforma}/whole-refund`, { buyer: "20:123456789", reason: "", cashier: "Ана" })
  await issue(await draft(owner, "/issue"), owner, { ...entries, kind: "ADVANCE", buyer: "20:123456789" })
  const [{ id } = { id: "" }] = await rowsOf<{ readonly id: string }>("select case_id::text as id from advance_cases")
  await issued("/advances/:case/payment/:draft", `/advances/${id}/payment`, entries)
  await issued("/advances/:case/refund/:draft", `/advances/${id}/refund`, { buyer: "20:123456789", reason: "", cashier: "Ана" })
  await issued("/advances/:case/closing/:draft", `/advances/${id}/closing`, { ...entries, "price-0": "500" })
  const mail = `/setup/mail/${stage.shop.taxpayerId}`
  await tracked("/setup/mail/:taxpayer", () => fillAndSend(client, owner, mail, { enabled: "yes" }))
  await tracked("/setup/mail/:taxpayer/test", () => fillAndSend(client, owner, mail, {}, `${mail}/test`))
  await tracked("/receipts/:id/send", () => fillAndSend(client, owner, `/receipts/${sale.id}/send`, { recipient: "kupac@primer.example" }))
}

const monthMail = async ({ client }: Portal, owner: string, tracked: Tracked) => {
  await tracked("/books/mail", () => fillAndSend(client, owner, "/books", {}, "/books/mail"))
  await tracked("/books/mail/off", () => fillAndSend(client, owner, "/books", {}, "/books/mail/off"))
}

const setup = async ({ client, rowsOf, stage: { shop } }: Portal, owner: string, tracked: Tracked) => {
  const product = { sku: "P-1", name: "Кафа", unitOfMeasure: "ком", grossUnitPrice: "10,00", taxLabels: "A" }
  await tracked("/catalogue/new", () => client.send("/catalogue/new", owner, { ...product, taxpayer: shop.taxpayerId }))
  const [stored] = await rowsOf<{ readonly id: string }>("select product_id::text as id from products")
  await tracked("/catalogue/:product", () => fillAndSend(client, owner, `/catalogue/${stored?.id}`, { name: "Кафа, млевена" }))
  await tracked("/setup/paper", () => fillAndSend(client, owner, "/setup", { format: "80mm" }, "/setup/paper"))
  await tracked("/setup/branding/:taxpayer", () => fillAndSend(client, owner, `/setup/branding/${shop.taxpayerId}`, { note: "Хвала" }))
  const premise = { pu: "77", premise: "Друга радња", address: "Улица 1", city: "Београд" }
  await tracked("/setup/taxpayers/new", () => fillAndSend(client, owner, "/setup/taxpayers/new", { ...premise, taxId: "100000008", name: "Нова радња", vat: "IN_VAT" }))
  await tracked("/setup/taxpayers/:taxpayer/premises/new", () => fillAndSend(client, owner, `/setup/taxpayers/${shop.taxpayerId}/premises/new`, premise))
}

const access = async ({ client, rowsOf, stage }: Portal, owner: string, tracked: Tracked) => {
  await tracked("/credentials/new", () => client.send("/credentials/new", owner, { name: "Каса", scope: "fiscal:read", reach: "all", current: password }))
  const [{ id: client2 } = { id: "" }] = await rowsOf<{ readonly id: string }>("select client_id as id from credentials where name = 'Каса'")
  await tracked("/credentials/rotate/:client", () => fillAndSend(client, owner, `/credentials/rotate/${client2}`, { keep: "0", current: password }))
  await tracked("/credentials/revoke", () => client.send("/credentials/revoke", owner, { client: client2 }))
  const endpoint = { url: "https://shop.example/overa", description: "Веб продавница", reach: "all", signature: "v1", current: password }
  await tracked("/webhooks/new", () => client.send("/webhooks/new", owner, endpoint))
  const [{ id } = { id: "" }] = await rowsOf<{ readonly id: string }>("select endpoint_id::text as id from webhook_endpoints")
  await tracked("/webhooks/:endpoint/test", () => client.send(`/webhooks/${id}/test`, owner))
  await issueSale(stage)
  await tracked("/webhooks/:endpoint/resend", () => client.send(`/webhooks/${id}/resend`, owner, { from: "1", to: "1" }))
  await tracked("/webhooks/:endpoint/secret", () => client.send(`/webhooks/${id}/secret`, owner, { current: password }))
  await tracked("/webhooks/:endpoint/status", () => client.send(`/webhooks/${id}/status`, owner, { status: "PAUSED" }))
}

const members = async ({ client, rowsOf, stage }: Portal, owner: string, tracked: Tracked) => {
  const invite = (email: string) => client.send("/members/invite", owner, { email, role: "SUPPORT" })
  await tracked("/members/invite", () => invite("nova@primer.example"))
  const token = await mailedToken(stage, "nova@primer.example")
  await tracked("/invitation/accept", () => client.ask("POST", "/invitation/accept", { form: { token, name: "Нова Новић", next: "cetiri zelena kofera" } }))
  await tracked("/members/role", () => client.send("/members/role", owner, { person: "nova@primer.example", role: "ACCOUNTANT" }))
  await tracked("/members/remove", () => client.send("/members/remove", owner, { person: "nova@primer.example" }))
  await invite("druga@primer.example")
  const [{ id } = { id: "" }] = await rowsOf<{ readonly id: string }>("select invitation_id::text as id from invitations where email = 'druga@primer.example'")
  await tracked("/members/withdraw", () => client.send("/members/withdraw", owner, { invitation: id }))
}

const account = async ({ client, stage }: Portal, tracked: Tracked) => {
  const { ACCOUNTANT } = stage.people
  const session = await stage.session(ACCOUNTANT)
  const other = await stage.session(ACCOUNTANT)
  await tracked("/account/sessions/end-one", () => client.send("/account/sessions/end-one", session, { session: digestOf(other) }))
  await tracked("/account/sessions/end", () => client.send("/account/sessions/end", session))
  await tracked("/account/devices/forget-all", () => client.send("/account/devices/forget-all", session, { current: password }))
  const again = await stage.session(ACCOUNTANT)
  const { text } = await client.get("/account/second-factor", { session: again })
  const fields = fieldsOf(text, "/account/second-factor")
  const form = { ...fields, code: totpCode(fields?.["secret"] ?? ""), current: password }
  await tracked("/account/second-factor", () => client.send("/account/second-factor", again, form))
  // The next code, because each is accepted once.
  const later = totpCode(fields?.["secret"] ?? "", Date.now() + 30_000)
  const third = await stage.session(ACCOUNTANT)
  await tracked("/account/second-factor/off", () => client.send("/account/second-factor/off", third, { code: later }))
  await tracked("/account/password", async () => client.send("/account/password", await stage.session(ACCOUNTANT), { current: password, next: "sedam malih tigrova" }))
  await tracked("/account/sessions/end-all", async () => client.send("/account/sessions/end-all", await stage.session(ACCOUNTANT)))
}

const forgotten = async ({ client, stage }: Portal, tracked: Tracked) => {
  const { email } = stage.people.SUPPORT
  let token = ""
  await tracked("/sign-in/forgotten", async () => {
    await client.ask("POST", "/sign-in/forgotten", { form: { email } })
    // The answer does not wait for the message, so that its time tells nothing.
    await vi.waitFor(async () => assert.notStrictEqual(token = await mailedToken(stage, email), ""), 5_000)
  })
  await tracked("/sign-in/new-password/set", () => client.ask("POST", "/sign-in/new-password/set", { form: { token, next: "osam velikih tigrova" } }))
}

/** Everything that a shop's people do. */
export const driveMembers = async (portal: Portal, tracked: Tracked): Promise<void> => {
  const owner = await portal.stage.session(portal.stage.people.OWNER)
  await documents(portal, owner, tracked)
  await monthMail(portal, owner, tracked)
  await setup(portal, owner, tracked)
  await access(portal, owner, tracked)
  await members(portal, owner, tracked)
  await account(portal, tracked)
  await forgotten(portal, tracked)
}

/** The forms of acts about one organization: the path below it, what is typed, and the route where it differs. */
const aboutShop = ({ stage: { shop } }: Portal): ReadonlyArray<readonly [path: string, typed: Readonly<Record<string, string>>, route?: string]> => {
  const [taxpayer, premise] = [`/taxpayers/${shop.taxpayerId}`, `/premises/${shop.businessPremiseId}`]
  return [
    ["/licence", { from: "", until: "", module: "advance" }],
    ["/licence/suspend", {}],
    ["/licence/resume", {}],
    ["/credentials/issue", { scope: "fiscal:read", name: "Од оператера" }],
    [`/credentials/${shop.clientId}/revoke`, {}, "/credentials/:client/revoke"],
    ["/credentials/own", { own: "forbid" }],
    ["/members/invite", { email: "pozvan@primer.example", role: "SUPPORT" }],
    ["/members/remove", { email: "administrator@primer.example" }],
    ["/taxpayers/add", { environment: "sandbox", taxId: "100000065", name: "Још једна", vat: "IN_VAT", pu: "1", premise: "Главна" }],
    [`${taxpayer}/premises/add`, { pu: "88", premise: "Трећа радња" }, "/taxpayers/:taxpayer/premises/add"],
    [taxpayer, { paper: "58mm" }, "/taxpayers/:taxpayer"],
    [premise, { commerce: "in_person" }, "/premises/:premise"],
    [`${taxpayer}/confirm`, {}, "/taxpayers/:taxpayer/confirm"],
    [`${taxpayer}/release`, {}, "/taxpayers/:taxpayer/release"],
    [`${taxpayer}/branding`, { note: "Дођите опет", lines: "Зора" }, "/taxpayers/:taxpayer/branding"],
    [`${taxpayer}/delivery`, { sender: "Зора" }, "/taxpayers/:taxpayer/delivery"],
    ["/buyers/erase", { buyer: "10:101883300", days: "0" }],
    ["/metadata/erase", { reference: "x-1", days: "0" }],
    ["/deliveries/erase", { recipient: "kupac@primer.example", days: "0" }]
  ]
}

const installation = async ({ client, rowsOf, stage }: Portal, operator: string, tracked: Tracked) => {
  const publicKey = generateKeyPairSync("rsa", { modulusLength: 2_048 }).publicKey.export({ type: "spki", format: "pem" }).toString()
  const plain: ReadonlyArray<readonly [path: string, typed: Readonly<Record<string, string>>]> = [
    ["/operator/organizations/add", { name: "Трећа организација" }],
    ["/operator/journal/verify", {}],
    ["/operator/journal/key", {}],
    ["/operator/installation/roots/add", { environment: "sandbox", pem: stage.desk.simulator.trustAnchorsPem("production") }],
    ["/operator/installation/signers/add", { environment: "sandbox", jid: "ABCD1234", pem: publicKey }],
    ["/operator/installation/token-keys/add", {}],
    ["/operator/installation/reseal", {}],
    ["/operator/people/add", { email: "dodata@primer.example", name: "Додата Особа", operator: "no" }],
    ["/operator/people/password", { email: "dodata@primer.example" }],
    ["/operator/people/second-factor", { email: "dodata@primer.example" }],
    ["/operator/people/erase", { email: "dodata@primer.example" }],
    ["/operator/restore/begin", { since: new Date(Date.now() - 60_000).toISOString() }],
    ["/operator/restore/end", { confirm: "yes" }]
  ]
  for (const [path, typed] of plain) await tracked(path, () => fillAndSend(client, operator, path, { ...typed, reason: "тикет 7" }))
  await tracked("/operator/environments/:environment", () => fillAndSend(client, operator, "/operator/environments/sandbox", { esir: "123/1.0", reason: "тикет 7" }))
  const [{ kid } = { kid: "" }] = await rowsOf<{ readonly kid: string }>("select kid from token_keys where retired_at is not null limit 1")
  await tracked("/operator/installation/token-keys/:kid/revoke", () => fillAndSend(client, operator, `/operator/installation/token-keys/${kid}/revoke`, { reason: "тикет 7" }))
  const { shop } = stage
  const [{ id } = { id: "" }] = await rowsOf<{ readonly id: string }>(
    "insert into attention (organization_id, element_id, kind, detail, raised_at) values ($1, $2, 'SECOND_RECEIPT', 'опис', now()) returning attention_id::text as id", [shop.organizationId, randomUUID()])
  await tracked("/operator/attention/:item", () => fillAndSend(client, operator, `/operator/attention/${id}`, { reason: "решено" }))
}

const element = async ({ client, stage: { desk } }: Portal, operator: string, tracked: Tracked) => {
  const { pac, password: secret, pfx } = await desk.simulator.issueElement({ environment: "sandbox", businessName: "Књижара Зора", tin: "100000049", locationName: "Пробни", address: "Његошева 12", city: "Београд" })
  const form = new FormData()
  const typed = { proof: await client.proof(operator), form: randomUUID(), reason: "тикет 7", password: secret, pac }
  for (const [name, value] of Object.entries(typed)) form.append(name, value)
  form.append("file", new Blob([new Uint8Array(pfx)]), "element.pfx")
  await tracked("/operator/installation/pool", () =>
    fetch(`${client.origin}/operator/installation/pool`, { method: "POST", redirect: "manual", headers: { cookie: `overa-session=${operator}`, origin: client.origin }, body: form }))
}

const unknown = async ({ client, rowsOf, stage }: Portal, operator: string, tracked: Tracked) => {
  const { simulator } = stage.desk
  const { id } = await whileNobodyKnows(stage, () => issueSale(stage, { reference: "lost" }))
  const [{ requestId } = { requestId: "" }] = await rowsOf<{ readonly requestId: string }>('select request_id as "requestId" from operations where operation_id = $1', [id])
  const [signed] = simulator.receipts(requestId)
  const found = await (await fetch(`${simulator.controlUrl}/receipts/${signed?.invoiceNumber}`)).json() as { readonly answer: string }
  const receipt = JSON.parse(found.answer) as { readonly verificationUrl: string; readonly journal: string }
  const path = `/operator/unknown/${id}/issued`
  await tracked("/operator/unknown/:operation/issued", () => fillAndSend(client, operator, path, { url: receipt.verificationUrl, journal: receipt.journal, reason: "нађен у порталу" }))
}

/** Everything that an operator does. */
export const driveOperator = async (portal: Portal, tracked: Tracked): Promise<void> => {
  const { client, stage } = portal
  const operator = await stage.session(stage.people.OPERATOR)
  const home = `/operator/organizations/${stage.shop.organizationId}`
  await tracked("/operator/organizations/:id/open", () => client.send(`${home}/open`, operator, { reason: "тикет 7", back: home }))
  await unknown(portal, operator, tracked)
  for (const [path, typed, route = path] of aboutShop(portal)) {
    await tracked(`/operator/organizations/:id${route}`, () => fillAndSend(client, operator, home + path, { ...typed, reason: "тикет 7" }))
  }
  await tracked("/operator/organizations/:id/everything", () => fillAndSend(client, operator, `${home}/everything`, { reason: "захтев власника" }))
  await element(portal, operator, tracked)
  await installation(portal, operator, tracked)
}
