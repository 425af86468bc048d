import { readFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { layerWebhookKeys } from "@overa/adapter-webhooks"
import { adminConfig, adminServices } from "@overa/admin"
import { createWebhookEndpoint, OrganizationId, type RehearsalStepName } from "@overa/domain"
import { Layer, ManagedRuntime } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type OperatorDesk, operatorDesk } from "../../src/support/operatorDesk.ts"

const because = ["--reason", "before the shop goes live"]
const taxIdentifier = "100000049"
const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString()

/** A mail server that greets, and takes no mail. */
const mailServer = () =>
  createServer((line) => {
    line.write("220 mail.example.rs\r\n")
    line.on("data", (said) => line.write(String(said).startsWith("QUIT") ? "221 bye\r\n" : "250 mail.example.rs\r\n"))
    line.on("error", () => undefined)
  })

/** A step as the command's JSON shows it. */
interface RehearsalStep {
  readonly step: RehearsalStepName
  readonly state: string
  readonly found: string
  readonly todo: { readonly who: string; readonly what: string } | null
}

interface Rehearsed {
  readonly code: number
  readonly ready: boolean
  readonly of: (step: RehearsalStep["step"]) => RehearsalStep
  /** The steps that are RED. */
  readonly red: ReadonlyArray<string>
}

// Everything that the first real sale needs is made once; each case breaks one thing and puts it right again.
// Most cases draw three papers in processes of their own, and one waits for a worker that does not come.
describe("a rehearsal of going live", { timeout: 180_000 }, () => {
  let desk: OperatorDesk
  const smtp = mailServer()
  let mail: Readonly<Record<string, string>> = {}
  const made = { organization: "", taxpayer: "", premise: "", credential: "" }

  const run = async (...args: ReadonlyArray<string>) => {
    const answer = await desk.admin([...args, "--json"])
    expect({ code: answer.code, err: answer.err }).toEqual({ code: 0, err: "" })
    return answer.json
  }
  const rehearse = async (options: { readonly premise?: string; readonly backedUpAt?: string | null; readonly environment?: Readonly<Record<string, string>> } = {}): Promise<Rehearsed> => {
    const backedUpAt = options.backedUpAt === undefined ? hourAgo() : options.backedUpAt
    const stated = backedUpAt === null ? [] : ["--backed-up-at", backedUpAt]
    const answer = await desk.admin(["rehearse", options.premise ?? made.premise, ...stated, ...because, "--json"], { environment: { ...mail, ...options.environment } })
    expect(answer.err).toBe("")
    const steps = answer.json.steps as ReadonlyArray<RehearsalStep>
    const of: Rehearsed["of"] = (name) => steps.find(({ step }) => step === name) ?? expect.unreachable(`no step ${name}`)
    return { code: answer.code, ready: answer.json.ready, of, red: steps.filter(({ state }) => state === "RED").map(({ step }) => step) }
  }
  const fault = (order: Parameters<OperatorDesk["simulator"]["addFault"]>[0]) => desk.simulator.addFault(order)

  const openProductionShop = async () => {
    made.organization = (await run("organizations", "add", "Књижара Зора д.о.о.", ...because)).id
    const options = ["--environment", "production", "--tax-id", taxIdentifier, "--name", "Књижара Зора", "--vat", "IN_VAT", "--pu", "1000001", "--premise", "Веб"]
    const shop = await run("taxpayers", "add", made.organization, ...options, ...because)
    made.taxpayer = shop.id
    made.premise = shop.businessPremiseId
    await run("environment", "set", "production", "--esir", "999/0.1", ...because)
    await run("environment", "traffic", "production", "on", ...because)
    await run("licences", "grant", made.organization, "--from", "2026-01-01", "--until", "2099-01-01", "--module", "email", ...because)
    made.credential = (await run("credentials", "issue", made.organization, "--environment", "production", ...because)).clientId
    const signers = await (await fetch(`${desk.simulator.controlUrl}/signers`)).json() as { readonly production: ReadonlyArray<{ readonly uid: string; readonly publicKeyPem: string }> }
    for (const { publicKeyPem, uid } of signers.production) await run("reference", "add-signer", "production", uid, "--pem", desk.file(`${uid}.pem`, publicKeyPem), ...because)
    const logo = readFileSync(new URL("../../src/support/sampleLogo.svg", import.meta.url))
    await run("shops", "branding", made.taxpayer, "--logo", desk.file("logo.svg", logo), "--line", "Књижара Зора", "--note-file", desk.file("note.txt", "Хвала"), ...because)
    await run("shops", "delivery", made.taxpayer, "on", ...because)
    const client = await desk.database.client()
    await client.query(
      `insert into products (organization_id, product_id, environment, taxpayer_id, sku, name, gross_unit_price, unit_of_measure, tax_labels, is_active, search_text, search_grams, created_at, updated_at)
       values ($1, gen_random_uuid(), 'production', $2, 'KNJ-1', 'Књига', 1090, 'ком', '{Ђ}', true, 'knjiga', '{}', now(), now())`,
      [made.organization, made.taxpayer]
    )
  }
  const activeElement = async () => {
    const element = await desk.simulator.issueElement({ environment: "production", businessName: "Књижара Зора", tin: taxIdentifier, locationName: "Веб", address: "Његошева 12", city: "Београд" })
    const secrets = { OVERA_PFX_PASSWORD: element.password, OVERA_PFX_PAC: element.pac }
    const uploaded = await desk.admin(["elements", "upload", made.premise, "--pfx", desk.file("element.pfx", element.pfx), ...because, "--json"], { environment: secrets })
    expect(uploaded.err).toBe("")
    return uploaded.json.id as string
  }

  let uploadedOnly: Rehearsed
  beforeAll(async () => {
    await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve))
    mail = { OVERA_SMTP_URL: `smtp://127.0.0.1:${(smtp.address() as AddressInfo).port}`, OVERA_MAIL_SENDER: "racuni@example.rs" }
    desk = await operatorDesk()
    await openProductionShop()
    const element = await activeElement()
    uploadedOnly = await rehearse()
    await run("elements", "activate", element, ...because)
  }, 240_000)
  afterAll(async () => {
    await desk.close()
    smtp.close()
  })

  it("is green in every step, and issues nothing but one Training receipt", async () => {
    const before = desk.simulator.receipts(null).length
    const rehearsed = await rehearse()
    expect(rehearsed.red).toEqual([])
    expect(rehearsed).toMatchObject({ code: 0, ready: true })
    expect(rehearsed.of("paper").found).toBe("Header, logo and footer are drawn on a4, 80mm, 58mm.")
    const signed = desk.simulator.receipts(null)
    expect(signed.length - before).toBe(1)
    expect(signed.every(({ invoiceType }) => invoiceType === "Training")).toBe(true)
  })

  it("certificate: says that an uploaded element must be activated, and what could not be tried", () => {
    expect(uploadedOnly).toMatchObject({ code: 3, ready: false, red: ["certificate"] })
    expect(uploadedOnly.of("certificate").todo).toMatchObject({ who: "the operator", what: expect.stringContaining("elements activate") })
    expect(uploadedOnly.of("training").state).toBe("NOT_TRIED")
  })

  it.each<readonly [step: RehearsalStep["step"], breakIt: () => Promise<unknown>, repair: () => Promise<unknown>, other: ReadonlyArray<string>]>([
    ["installation", () => run("environment", "traffic", "production", "off", ...because, "--yes"), () => run("environment", "traffic", "production", "on", ...because), []],
    ["premise", () => run("premises", "change", made.premise, "--status", "suspended", ...because), () => run("premises", "change", made.premise, "--status", "active", ...because), []],
    ["licence", () => run("licences", "suspend", made.organization, ...because, "--yes"), () => run("licences", "resume", made.organization, ...because), ["mail"]],
    ["credential", () => run("credentials", "revoke", made.credential, ...because, "--yes"), () => run("credentials", "issue", made.organization, "--environment", "production", ...because), []],
    ["v-pfr", () => fault({ fault: "refuse-connection" }), () => desk.simulator.clearFaults(), []],
    ["clock", () => fault({ fault: "clock-skew", ms: 45_000 }), () => desk.simulator.clearFaults(), []],
    ["training", () => fault({ fault: "reject", times: 1 }), () => desk.simulator.clearFaults(), []],
    ["pak", () => fault({ fault: "status", code: 403, times: 1 }), () => desk.simulator.clearFaults(), ["training"]],
    ["read-back", () => fault({ fault: "search-not-found" }), () => desk.simulator.clearFaults(), []],
    ["paper", () => run("shops", "branding", made.taxpayer, "--line", "Зора 𓀀", ...because), () => run("shops", "branding", made.taxpayer, "--line", "Зора", ...because), []]
  ])("%s: broken, it alone is red, with the sentence that says who does what", async (step, breakIt, repair, other) => {
    await breakIt()
    const rehearsed = await rehearse()
    await repair()
    expect(rehearsed).toMatchObject({ code: 3, ready: false })
    expect([...rehearsed.red].sort()).toEqual([step, ...other].sort())
    expect(rehearsed.of(step).todo?.what).toBeTruthy()
  })

  it("chain, mail, back-up: a wrong setting is red", async () => {
    const wrongRoot = await rehearse({ environment: { OVERA_VPFR_PRODUCTION_CA_FILE: desk.environment["OVERA_VPFR_SANDBOX_CA_FILE"] ?? "" } })
    expect(wrongRoot.of("chain")).toMatchObject({ state: "RED", todo: { who: "the operator" } })
    const noMail = await rehearse({ backedUpAt: null, environment: { OVERA_SMTP_URL: "smtp://127.0.0.1:9" } })
    expect(noMail.red).toEqual(["mail", "back-up"])
  })

  it("webhooks: an address that no worker sends to is red, and the operator looks at the workers", async () => {
    const services = ManagedRuntime.make(Layer.mergeAll(adminServices(adminConfig(desk.environment)), layerWebhookKeys))
    const tenant = { organizationId: OrganizationId.make(made.organization), environment: "production" as const }
    const because = { actor: "test", reason: "made for a test" }
    const { id } = await services.runPromise(createWebhookEndpoint(because, tenant, { url: "https://shop.example/hooks", description: null, eventTypes: null, signature: "v1" }))
    const rehearsed = await rehearse()
    const client = await desk.database.client()
    await client.query("update webhook_endpoints set status = 'REMOVED' where endpoint_id = $1", [id])
    await services.dispose()
    expect(rehearsed.red).toEqual(["webhooks"])
    expect(rehearsed.of("webhooks")).toMatchObject({ found: expect.stringContaining("https://shop.example/hooks"), todo: { who: "the operator" } })
  })

  it("rates: a label that ends within a week is named with its product, and the rest is still tried", async () => {
    const order = { environment: "production", validFrom: new Date(Date.now() + 3 * 86_400_000).toISOString(), taxCategories: [{ name: "О-ПДВ", categoryType: 0, taxRates: [{ label: "А", rate: 20 }] }] }
    expect((await fetch(`${desk.simulator.controlUrl}/tax-rates`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(order) })).ok).toBe(true)
    const rehearsed = await rehearse()
    expect(rehearsed.red).toEqual(["rates"])
    expect(rehearsed.of("rates").found).toMatch(/^Ђ ends on .*1 product, KNJ-1 first/)
  })
})
