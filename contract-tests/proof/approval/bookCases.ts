import { formatDecimal } from "@overa/domain"
import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { type BookCase, type CaseGround, check } from "./BookCase.ts"
import type { Json, Sample } from "./Sample.ts"
import { sampleFaults } from "./sampleFaults.ts"

const cashier = { id: "Продавац 1" }
const item = (ground: CaseGround, name: string, quantity: number, unitPrice: number, change: Json = {}) =>
  ({ name, unitOfMeasure: "ком", quantity, unitPrice, taxLabels: [ground.labels[0]?.label ?? ""], ...change })

const shown = (amounts: ReadonlyArray<Sample["printed"]["total"]>): string => amounts.map((amount) => formatDecimal(amount, 2)).join(" ")

const paymentTypes = ["CASH", "CARD", "CHECK", "WIRE_TRANSFER", "INSTANT_PAYMENT", "OTHER", "VOUCHER"]

/** Page 5: without the V-PFR nothing is issued, and the answer says so. */
const withoutPfr: NonNullable<BookCase["run"]> = async (ground) => {
  const { at, content, sale } = ground
  const before = await sale("Рачун док је ПФР доступан", {})
  if (at.control === null) return { checks: [check("рачун је издат док је ПФР доступан", true), check("ПФР се искључује ручно: погледајте упутство за оператера", true)], receipts: [before] }
  const count = async () => (await (await fetch(`${at.control}/receipts?limit=1`)).json() as Json).count as number
  const signed = await count()
  await fetch(`${at.control}/faults`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ fault: "refuse-connection", environment: "sandbox" }) })
  const key = `approval-${randomUUID()}`
  const body = { ...content({ clientReference: "bez-pfr" }), invoiceType: "NORMAL", transactionType: "SALE" }
  const refused = await at.post("/v1/fiscal-documents", body, key)
  const during = await count()
  await fetch(`${at.control}/faults`, { method: "DELETE" })
  // After a failed contact the service waits some seconds before it asks the V-PFR again.
  let again = await at.post("/v1/fiscal-documents", body, key)
  for (let turn = 0; turn < 20 && again.status === 503; turn++) {
    await pause(1_000)
    again = await at.post("/v1/fiscal-documents", body, key)
  }
  return {
    checks: [
      check("рачун је издат док је ПФР доступан", before.document.status === "FISCALIZED"),
      check("без ПФР-а рачун није издат: 503, fiscalized false", refused.status === 503 && refused.json.fiscalized === false),
      check("одговор каже да ништа није издато и шта следи", refused.json.pfr === null && refused.json.status === "NOT_FISCALIZED" && refused.json.retryable === true),
      check("ПФР није потписао ништа", during === signed),
      check("исти захтев после повратка везе издаје један рачун", again.json.status === "FISCALIZED" && await count() === signed + 1)
    ],
    receipts: [before]
  }
}

/** Page 6: each sample against signature, link, public check and paper. */
const nothingLeftOut: NonNullable<BookCase["run"]> = ({ approved, samples }) =>
  Promise.resolve({
    checks: samples.map((sample) => {
      const faults = sampleFaults(sample, approved)
      return check(`${sample.printed.invoiceNumber}, ${sample.title}${faults.length === 0 ? "" : `: ${faults.map(({ found, place }) => `${place}) ${found}`).join("; ")}`}`, faults.length === 0)
    })
  })

const allPayments: NonNullable<BookCase["run"]> = async (ground) => {
  const receipts: Array<Sample> = []
  for (const type of paymentTypes) receipts.push(await ground.sale(`Начин плаћања ${type}`, { items: [item(ground, "Свеска", 1, 120)], payments: [{ type, amount: 120 }] }))
  return { checks: receipts.map(({ printed }, index) => check(`${paymentTypes[index]} је на рачуну`, printed.payments.length === 1 && printed.payments[0]?.type === paymentTypes[index])), receipts }
}

const manyPayments: NonNullable<BookCase["run"]> = async (ground) => {
  const payments = [...paymentTypes, "CARD"].map((type) => ({ type, amount: 100 }))
  const receipt = await ground.sale("Сви начини плаћања на једном рачуну", { items: [item(ground, "Полица", 1, 800)], payments })
  return { checks: [check("сви начини плаћања, један поновљен, истим редом", receipt.printed.payments.map(({ type }) => type).join() === payments.map(({ type }) => type).join())], receipts: [receipt] }
}

const gtin: NonNullable<BookCase["run"]> = async (ground) => {
  const receipt = await ground.sale("Артикал са ГТИН-ом", { items: [item(ground, "Оловка", 1, 55, { gtin: "8600999000018" })], payments: [{ type: "CARD", amount: 55 }] })
  const sent = receipt.sent?.items?.[0]
  return {
    checks: [
      check("рачун је издат", receipt.document.status === "FISCALIZED"),
      ...(receipt.sent === null ? [] : [check("ГТИН је послат ПФР-у", String(sent?.gtin ?? sent?.GTIN) === "8600999000018")])
    ],
    receipts: [receipt]
  }
}

const references: NonNullable<BookCase["run"]> = async ({ at, content, samples }) => {
  const refund = samples.find(({ number }) => number === 2)
  const copy = samples.find(({ number }) => number === 3)
  const [first] = content({})["items"] as ReadonlyArray<Json>
  const without = await at.post("/v1/refund-workflows", { ...at.place, clientReference: "bez-broja", cashier, buyer: { id: "20:008765432" }, items: [{ ...first, originalLineIndex: 0 }], payments: [{ type: "CARD", amount: 1 }] })
  const copyWithout = await at.post("/v1/fiscal-documents", { ...content({}), invoiceType: "COPY", transactionType: "SALE" })
  return {
    checks: [
      check("рефундација носи број и време оригинала", refund?.printed.referenceNumber !== null && refund?.printed.referenceTime !== null),
      check("копија носи број и време оригинала", copy?.printed.referenceNumber === samples.find(({ number }) => number === 1)?.printed.invoiceNumber),
      check("рефундација без броја се не издаје", without.status === 422),
      check("копија без броја се не издаје", copyWithout.status === 422)
    ],
    receipts: [refund, copy].filter((sample) => sample !== undefined)
  }
}

const saleAfterAdvance: NonNullable<BookCase["run"]> = ({ samples }) => {
  const sale = samples.find(({ title }) => title === "Промет Продаја која затвара аванс")
  const refund = samples.find(({ number }) => number === 10)
  return Promise.resolve({
    checks: [check("коначни рачун носи број рачуна Аванс Рефундација", sale !== undefined && sale.printed.referenceNumber === refund?.printed.invoiceNumber)],
    receipts: sale === undefined ? [] : [sale]
  })
}

const rounding: NonNullable<BookCase["run"]> = async (ground) => {
  const items = [item(ground, "А", 1, 5.1), item(ground, "Б", 1, 10.27), item(ground, "Ц", 1, 20.14), item(ground, "Д", 0.123, 9.9), item(ground, "Е", 0.123, 9.95)]
  const receipt = await ground.sale("Заокруживање", { items, payments: [{ type: "CASH", amount: 37.95 }] })
  const finer = await ground.at.post("/v1/fiscal-documents", { ...ground.content({ items: [item(ground, "Б", 1, 10.267)], payments: [{ type: "CASH", amount: 10.27 }] }), invoiceType: "NORMAL", transactionType: "SALE" })
  return {
    checks: [
      check("5,10 10,27 20,14 1,22 1,22", shown(receipt.printed.items.map(({ amount }) => amount)) === "5.10 10.27 20.14 1.22 1.22"),
      check("укупно 37,95", shown([receipt.printed.total]) === "37.95"),
      check("цена са три децимале (10,267) се не издаје док је продавница не заокружи", finer.status === 422)
    ],
    receipts: [receipt]
  }
}

const rates: NonNullable<BookCase["run"]> = async (ground) => {
  const { labels } = ground
  const receipt = await ground.sale("Све пореске ознаке", { items: labels.map(({ label }) => item(ground, `Артикал ${label}`, 1, 100, { taxLabels: [label] })), payments: [{ type: "CARD", amount: 100 * labels.length }] })
  const printed = new Map(receipt.printed.taxes.map((tax) => [tax.label, formatDecimal(tax.rate, 2)]))
  return {
    checks: [
      ...labels.map(({ label, rate }) => check(`ознака ${label} са стопом ${rate.toFixed(2)}`, printed.get(label) === rate.toFixed(2))),
      check("свака ознака стоји уз свој артикал", receipt.printed.items.every((line, index) => line.labels.join() === labels[index]?.label))
    ],
    receipts: [receipt]
  }
}

const unknownRate: NonNullable<BookCase["run"]> = async ({ at, content, ...ground }) => {
  const refused = await at.post("/v1/fiscal-documents", { ...content({ items: [item({ at, content, ...ground }, "Артикал", 1, 100, { taxLabels: ["Ш"] })], payments: [{ type: "CARD", amount: 100 }] }), invoiceType: "NORMAL", transactionType: "SALE" })
  return { checks: [check("рачун није издат, ознака је именована", refused.status === 422 && refused.json.code === "TAX_LABEL_NOT_CURRENT" && String(refused.json.invalidLabels) === "Ш")] }
}

const catalogue: NonNullable<BookCase["run"]> = async (ground) => {
  const { at, labels, sale } = ground
  const sku = `odobrenje-${randomUUID().slice(0, 8)}`
  const product = { taxpayerId: at.site.taxpayerId, sku, gtin: "8600111222336", name: `Лампа ${sku}`, unitOfMeasure: "ком", grossUnitPrice: 2400, taxLabels: [labels[0]?.label] }
  const made = await at.call("POST", "/v1/products", product)
  const { taxpayerId: _, ...editable } = product
  const changed = await at.call("PUT", `/v1/products/${made.json.id}`, { ...editable, grossUnitPrice: 2550, isActive: true })
  const found = async (search: string) => (await at.call("GET", `/v1/products?${new URLSearchParams({ taxpayerId: at.site.taxpayerId, search })}`)).json.items as ReadonlyArray<Json>
  const [byName] = await found(product.name)
  const byGtin = (await found(product.gtin)).some(({ id }) => id === made.json.id)
  const line = { catalogProductId: made.json.id, name: byName?.name, unitOfMeasure: "ком", quantity: 1.234, unitPrice: byName?.grossUnitPrice, taxLabels: product.taxLabels, gtin: product.gtin }
  const receipt = await sale("Артикал из каталога, количина са три децимале", { items: [line], payments: [{ type: "CARD", amount: 3146.7 }] })
  return {
    checks: [
      check("нови артикал је додат и на листи", made.status === 201 && byName?.id === made.json.id),
      check("цена је промењена", changed.status === 200 && byName?.grossUnitPrice === 2550),
      check("артикал се налази по имену и по ГТИН-у", byName !== undefined && byGtin),
      check("количина 1,234 је на рачуну", formatDecimal(receipt.printed.items[0]?.quantity ?? receipt.printed.total, 3) === "1.234")
    ],
    receipts: [receipt]
  }
}

const discount: NonNullable<BookCase["run"]> = async (ground) => {
  const receipt = await ground.sale("Артикал са попустом", { items: [item(ground, "Роман", 1, 900, { unitPriceBeforeDiscount: 1200 })], payments: [{ type: "CARD", amount: 900 }] })
  return { checks: [check("ПФР је забележио коначну цену", shown([receipt.printed.items[0]?.unitPrice ?? receipt.printed.total, receipt.link.totalAmount]) === "900.00 900.00")], receipts: [receipt] }
}

const search: NonNullable<BookCase["run"]> = async ({ at, samples }) => {
  const number = samples[0]?.printed.invoiceNumber ?? ""
  const { json } = await at.call("GET", `/v1/journal?${new URLSearchParams({ pfrNumber: number })}`)
  return { checks: [check(`претрага по броју ${number} налази један рачун`, json.items?.length === 1 && json.items[0].pfr.invoiceNumber === number)] }
}

const delivery: NonNullable<BookCase["run"]> = async ({ at, samples }) => {
  const sample = samples.find(({ number }) => number === 1)
  const { json } = await at.post("/v1/receipt-deliveries", { fiscalDocumentId: sample?.document.id, recipient: "kupac@example.com" })
  let now = json
  for (let turn = 0; turn < 60 && now.status === "QUEUED"; turn++) {
    await pause(500)
    now = (await at.call("GET", `/v1/receipt-deliveries/${json.id}`)).json
  }
  return { checks: [check("рачун је послат купцу е-поштом", now.status === "SENT")] }
}

const contact: NonNullable<BookCase["run"]> = async ({ at, labels }) => {
  const { json, status } = await at.call("GET", "/v1/runtime")
  const facts = [json.manufacturer, json.productName, json.softwareVersion, json.buildCommit]
  return {
    checks: [
      check("сервис је повезан са ПФР-ом", status === 200 && json.pfrAdapter === "configured"),
      check("пореске стопе су прочитане са ПФР-а", labels.length > 0),
      check("произвођач, производ, верзија и издање се виде на захтев", facts.every((fact) => typeof fact === "string" && fact !== ""))
    ]
  }
}

const calendarDay = (printed: string): number => {
  const [, day, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})\./.exec(printed) ?? []
  return Date.UTC(Number(year), Number(month) - 1, Number(day))
}

/** Whether a printed time is of an earlier day than another one; false where there is none. */
export const isDayBefore = (earlier: string | null, later: string): boolean => earlier !== null && calendarDay(earlier) < calendarDay(later)

/** What a supplier hands in (page 37, 21 a to i). */
const handedIn: NonNullable<BookCase["run"]> = async (ground) => {
  const { approved, labels, sale, samples } = ground
  const advance = samples.find(({ number }) => number === 9)
  const field = await sale("Промет Продаја са Опционим пољем купца", { buyer: { id: "10:101670560", optionalField: "20:12345" } })
  const five = await sale("Пет артикала са различитим стопама", {
    items: labels.slice(0, 5).map(({ label }, index) => item(ground, `Артикал ${index + 1}`, 1, 10 + index, { taxLabels: [label] })),
    payments: [{ type: "CARD", amount: labels.slice(0, 5).reduce((sum, _, index) => sum + 10 + index, 0) }]
  })
  const faults = [field, five].flatMap((sample) => sampleFaults(sample, approved))
  return {
    checks: [
      check("а) даљинска трговина: рачун потписан Л-ПФР-ом није потребан", samples.every(({ link }) => link.requestedBy !== link.signedBy)),
      check("б) Промет Продаја која затвара аванс", samples.some(({ title }) => title === "Промет Продаја која затвара аванс")),
      check("ц) Аванс Продаја са ЕСИР временом најмање дан пре ПФР времена", advance !== undefined && isDayBefore(advance.printed.esirTime, advance.printed.pfrTime)),
      check("д) рачун са ГТИН-ом", samples.some(({ asked }) => asked.items?.some(({ gtin: code }: Json) => code !== undefined))),
      check("е) Промет Продаја са Опционим пољем купца", field.printed.buyerOptionalField === "20:12345"),
      check("ф) рачун потписан В-ПФР-ом", samples.length > 0),
      check("х) рачун са више пореских ознака", five.printed.taxes.length >= Math.min(5, labels.length)),
      check(`ови рачуни немају грешака${faults.map(({ found }) => `; ${found}`).join("")}`, faults.length === 0)
    ],
    receipts: [field, five]
  }
}

/** The book, page by page. */
export const bookCases: ReadonlyArray<BookCase> = [
  { page: 3, title: "Корисничка документација", asked: "Брошура, корисничко упутство, упутство за инсталацију и конфигурацију", notApplicable: "Документи, не проба: корисничко упутство је у овој фасцикли (manual.pdf); инсталација и конфигурација су docs/operations/install.md и configure.md, на енглеском" },
  { page: 5, title: "ЕСИР мора да прими обавезне податке од ПФР-а", asked: "Рачун се издаје кад је ПФР доступан; без ПФР-а се не издаје и о томе се обавештава", run: withoutPfr },
  { page: 6, title: "ЕСИР не сме да изостави нити промени обавезне податке", asked: "Сваки рачун се пореди са потписом, линком, провером на порталу и папиром", run: nothingLeftOut },
  { page: 8, title: "Унос команде (опционо)", asked: "ЕСИР реагује на команде корисника", notApplicable: "Опционо. Сервис нема уређај за унос: команде су захтеви програма продавнице; ко нема програм, уноси на страни „Издај рачун“ портала (portal.byHand.test.ts)" },
  { page: 8, title: "ЕСИР аутентификација са ПФР", asked: "Веза са ПФР-ом при покретању", run: contact },
  { page: 9, title: "Повлачење артикла пре издавања (опционо)", asked: "Корисник уклања артикал са рачуна", notApplicable: "Опционо. Корпа је у програму продавнице, а сервис прима цео рачун; на страни „Издај рачун“ портала ставка се уклања пре издавања (portal.byHand.test.ts)" },
  { page: 9, title: "Попусти", asked: "Артикал са умањеном ценом", run: discount },
  { page: 10, title: "Сви начини плаћања", asked: "По један рачун за сваки начин плаћања", run: allPayments },
  { page: 10, title: "Више начина плаћања на истом рачуну", asked: "Рачун са више начина, један поновљен", run: manyPayments },
  { page: 11, title: "ГТИН", asked: "Рачун са артиклом који има ГТИН", run: gtin },
  { page: 11, title: "Референтни број за рефундације и копије", asked: "Рефундација и копија са бројем; без броја се не издају", run: references },
  { page: 12, title: "Референтни број на рачуну за продају", asked: "Промет Продаја која затвара аванс носи број рачуна Аванс Рефундација", run: saleAfterAdvance },
  { page: 13, title: "Листа рачуна и претрага (опционо)", asked: "Претрага издатих рачуна", run: search },
  { page: 14, title: "Унос артикла, количина, промена цене, додавање по имену и ГТИН-у", asked: "Стране 14 и 15: каталог и количина са три децимале", run: catalogue },
  { page: 16, title: "Заокруживање децимала", asked: "5,1; 10,267; 20,143; 0,123 × 9,90; 0,123 × 9,95", remark: "Износе реда заокружује сервис. Цену са више од две децимале сервис одбија и не мења: заокружује је продавница пре слања", run: rounding },
  { page: 17, title: "Ажурирање и штампа пореских стопа", asked: "Рачун са свим доступним ознакама", run: rates },
  { page: 18, title: "Само стопе које излаже ПФР", asked: "Непостојећа ознака: рачун се не издаје", run: unknownRate },
  { page: 20, title: "Електронска достава", asked: "Рачун се шаље купцу", run: delivery },
  { page: 37, title: "Рачуни за Портал за добављаче", asked: "Услови 21 а до и", remark: "Сви начини плаћања (г) и заокруживање (и) су рачуни случајева 9 и 15", run: handedIn }
]
