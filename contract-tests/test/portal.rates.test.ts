import { randomUUID } from "node:crypto"
import { adminConfig, adminServices } from "@overa/admin"
import { AttentionOversight, OrganizationId, type RaisedRatesWarning, type TaxRateHistory, TaxRates, warnOfRates } from "@overa/domain"
import { BigDecimal, DateTime, Effect, ManagedRuntime } from "effect"
import { assert, beforeAll, describe, it } from "vitest"
import { takeMails } from "../src/portal/mailedLinks.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"
import { shopCaller } from "../src/support/shopCaller.ts"

const { client, rowsOf, stage } = sharedPortal()
const dayMillis = 86_400_000
const said = ({ warning }: RaisedRatesWarning): string => warning.labels.map(({ label, skus }) => `${label} ${skus.toSorted().join(" ")}`).join("; ")
const rates = (label: string) => [{ label, category: "VAT", categoryType: 0 as const, rate: BigDecimal.fromNumberUnsafe(9) }]
const inDays = (days: number): Date => new Date(Date.now() + days * dayMillis)

describe("a change of rates that takes a label from a catalogue", () => {
  const productIds: Array<string> = []
  let call: Awaited<ReturnType<typeof shopCaller>>

  const product = (sku: string, taxLabel: string) => ({
    taxpayerId: stage.shop.taxpayerId, sku, name: `Производ ${sku}`, unitOfMeasure: "ком", grossUnitPrice: 100, gtin: null, taxLabels: [taxLabel]
  })
  const announce = async (validFrom: Date, labels: ReadonlyArray<string>) => {
    const order = { environment: "sandbox", validFrom: validFrom.toISOString(), taxCategories: [{ name: "VAT", categoryType: 0, taxRates: labels.map((label) => ({ label, rate: 9 })) }] }
    const answer = await fetch(`${stage.desk.simulator.controlUrl}/tax-rates`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(order) })
    assert.isTrue(answer.ok)
  }
  /** One pass of a worker that has just started: it knows no earlier answer of the V-PFR. */
  const pass = async () => {
    const worker = ManagedRuntime.make(adminServices(adminConfig({ ...stage.desk.environment, OVERA_SMTP_URL: "smtp://127.0.0.1:1", OVERA_MAIL_SENDER: "receipts@overa.example.rs" })))
    try {
      return (await worker.runPromise(warnOfRates())).map(said)
    } finally {
      await worker.dispose()
    }
  }
  /** A pass where the V-PFR announces this group: it cannot be asked with an element that only the store has. */
  const passWith = (groupId: number, labels: ReadonlyArray<string>) => {
    const at = (days: number) => DateTime.toUtc(DateTime.fromDateUnsafe(inDays(days)))
    const groups = [{ groupId: 0, validFrom: at(-9), rates: [...rates("A"), ...rates("F")] }, { groupId, validFrom: at(5), rates: labels.flatMap(rates) }]
    const history: TaxRateHistory = { groups, fetchedAt: at(0) }
    const service = TaxRates.of({ fresh: () => Effect.succeed(history), known: () => Effect.succeed(null), doubt: () => Effect.void })
    return stage.run(Effect.map(warnOfRates().pipe(Effect.provideService(TaxRates, service)), (all) => all.map(said)))
  }
  const items = async () => (await stage.run(Effect.flatMap(AttentionOversight, (oversight) => oversight.openAttention(OrganizationId.make(stage.shop.organizationId), 50))))
    .filter(({ kind }) => kind.startsWith("TAX_LABELS"))
  const firstPage = async () => (await client.get("/", { session: await stage.session(stage.people.OWNER) })).text

  beforeAll(async () => {
    call = await shopCaller({ api: stage.api, shop: stage.shop })
    for (const content of [product("A-1", "A"), product("F-1", "F"), product("F-2", "F")]) {
      const { json, status } = await call("POST", "/v1/products", {}, content)
      assert.strictEqual(status, 201, JSON.stringify(json))
      productIds.push(json.id)
    }
    await takeMails(stage)
  })

  it("is not told while it is more than a week away", async () => {
    await announce(inDays(8), ["A", "F"])
    assert.deepStrictEqual(await pass(), [])
  })

  it("is told once, a week ahead: an item, and a message to the owners alone", async () => {
    await announce(inDays(6), ["A"])
    assert.deepStrictEqual(await pass(), ["F F-1 F-2"])
    assert.deepStrictEqual(await pass(), [])
    const [item, ...others] = await items()
    assert.deepStrictEqual(others, [])
    assert.match(item?.detail ?? "", /without F, which 2 products of taxpayer 100000049 carry/)
    const recipients = await rowsOf<{ readonly recipient: string }>("select recipient from portal_mail")
    assert.deepStrictEqual(recipients.map(({ recipient }) => recipient), [stage.people.OWNER.email])
    const [mail] = await takeMails(stage)
    assert.match(mail?.text ?? "", /F: F-1, F-2\n/)
  })

  it("waits on the owner's first page until no active product carries the label", async () => {
    assert.include(await firstPage(), "Артикала са њима: 2.")
    const [, first = "", second = ""] = productIds
    await call("PUT", `/v1/products/${first}`, {}, { ...product("F-1", "A"), isActive: true })
    assert.include(await firstPage(), "Артикала са њима: 1.")
    await call("PUT", `/v1/products/${second}`, {}, { ...product("F-2", "A"), isActive: true })
    assert.notInclude(await firstPage(), "Артикала са њима")
  })

  it("is not told again where the taxpayer has a new certificate, and another change is", async () => {
    await rowsOf("update security_elements set status = 'REPLACED'")
    const facts = { element_id: randomUUID(), jid: "ZZZZ9999", fingerprint_sha256: "a".repeat(64), status: "ACTIVE" }
    await rowsOf("insert into security_elements select (jsonb_populate_record(e, $1::jsonb || jsonb_build_object('valid_from', e.valid_from + interval '1 day'))).* from security_elements e", [JSON.stringify(facts)])
    await call("PUT", `/v1/products/${productIds[1] ?? ""}`, {}, { ...product("F-1", "F"), isActive: true })
    const told = Number(/\d+$/.exec((await items())[0]?.kind ?? "")?.[0])
    assert.deepStrictEqual(await passWith(told, ["A"]), [])
    assert.deepStrictEqual(await passWith(told + 1, ["F"]), ["A A-1 F-2"])
    assert.deepStrictEqual(await passWith(told + 1, ["F"]), [])
  })
})
