import {
  addProduct,
  decodeNewProduct,
  decodeProductReplacement,
  digitExpectedInGtin,
  editProduct,
  formatDecimal,
  type Product,
  type ProductColumn,
  productColumns,
  ProductId,
  readProduct,
  type RequestFaults
} from "@overa/domain"
import { BigDecimal, DateTime, Effect, Option, Result } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { type Faults, faultStatus, faultSummary, field, form, tick } from "../../html/forms.ts"
import { facts, notice } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { gtinDigitWords, storedGtinWords } from "../checkDigitWords.ts"
import { actOf, isFirstSending } from "../personAct.ts"
import { columnWords, shownCell } from "./columnWords.ts"
import { chosenTaxpayer, ownTaxpayers, taxpayerChoice } from "./ownTaxpayers.ts"
import { productFaultWords } from "./productFaultWords.ts"

/** Labels as one text; where a label itself has a space or a comma, bars separate them. */
const labelsText = (labels: ReadonlyArray<string>): string => labels.some((label) => /[\s,]/.test(label)) ? labels.map((label) => `${label} |`).join(" ") : labels.join(" ")

const labelsOf = (text: string): ReadonlyArray<string> =>
  (text.includes("|") ? text.split("|").map((label) => label.trim()) : text.split(/[\s,]+/)).filter((label) => label !== "")

/** The values that the fields show: what was typed, else the product as stored. */
const valueOf = (visit: MemberVisit, product: Product | null, column: ProductColumn): string => {
  if (visit.form !== null) return visit.form.exact(column)
  if (product === null) return ""
  if (column === "grossUnitPrice") return formatDecimal(product.grossUnitPrice, 2).replace(".", ",")
  return column === "taxLabels" ? labelsText(product.taxLabels) : String(product[column] ?? "")
}

const textField = (visit: MemberVisit, product: Product | null, faults: Faults, column: ProductColumn, more: { readonly hint?: string; readonly required?: boolean; readonly inputmode?: "decimal" | "numeric" } = {}): Html =>
  field({ name: column, label: columnWords(visit.say, column), value: valueOf(visit, product, column), fault: faults[column], autocomplete: "off", ...more })

const fields = (visit: MemberVisit, product: Product | null, faults: Faults): Html => {
  const { say } = visit
  const stored = digitExpectedInGtin(product?.gtin ?? "")
  return all(
    textField(visit, product, faults, "sku", { required: true, hint: say("Ваша ознака; једна за сваки производ.", "Your own mark; one for each product.") }),
    textField(visit, product, faults, "name", { required: true }),
    textField(visit, product, faults, "gtin", { inputmode: "numeric", ...(stored === undefined ? {} : { hint: storedGtinWords(say, stored) }) }),
    textField(visit, product, faults, "unitOfMeasure", { required: true, hint: say("нпр. ком, кг", "for example ком, kg") }),
    textField(visit, product, faults, "grossUnitPrice", { required: true, inputmode: "decimal", hint: say("нпр. 1234,50", "1234,50 for example") }),
    textField(visit, product, faults, "taxLabels", { required: true, hint: say("Ознака стопе, нпр. Ђ; више њих раздвојите размаком.", "The label of the rate, Ђ for example; several with a space between.") }),
    product === null ? null : tick({
      name: "isActive",
      label: say("Активан: нуди се за нове рачуне", "Active: offered for new receipts"),
      checked: visit.form === null ? product.isActive : visit.form.text("isActive") === "yes"
    })
  )
}

/** The form as the body that the API accepts. */
const bodyOf = (visit: MemberVisit) => {
  const text = (name: string) => visit.form?.text(name) ?? ""
  const price = text("grossUnitPrice").replace(",", ".")
  return {
    sku: text("sku"),
    gtin: text("gtin") === "" ? null : text("gtin"),
    name: text("name"),
    unitOfMeasure: text("unitOfMeasure"),
    grossUnitPrice: /^\d{1,15}(?:\.\d{1,15})?$/.test(price) ? BigDecimal.fromStringUnsafe(price) : price,
    taxLabels: labelsOf(text("taxLabels"))
  }
}

const faultsOf = (visit: MemberVisit, { faults }: RequestFaults): Faults =>
  Object.fromEntries(faults.toReversed().map(({ message, pointer }) => [pointer.split("/")[1] ?? "", productFaultWords(visit.say, message)]))

/** A barcode that is stored with another digit, from a file or the API, may stay; a person enters none. */
const digitFaults = (visit: MemberVisit, gtin: string | null, stored: string | null): Faults | null => {
  const expected = gtin === stored ? undefined : digitExpectedInGtin(gtin ?? "")
  return expected === undefined ? null : { gtin: gtinDigitWords(visit.say, expected) }
}

const takenFault = (visit: MemberVisit): Faults => ({ sku: visit.say("Ову шифру већ има други производ. Изаберите другу.", "Another product has this SKU. Choose another.") })

const changedNotice = (visit: MemberVisit, product: Product, sentence: string): Html =>
  notice(
    "wait",
    el("p", {}, sentence),
    el("p", {}, visit.say("Сада је сачувано:", "Stored now:")),
    facts(productColumns.map((column) => [columnWords(visit.say, column), shownCell(visit.say, product, column)]))
  )

const formPage = Effect.fnUntraced(function*(visit: MemberVisit, product: Product | null, faults: Faults = {}) {
  const { say } = visit
  const title = product === null ? say("Нови производ", "New product") : say("Производ", "Product")
  const entries = yield* ownTaxpayers(visit)
  const isChanged = faults["changed"] !== undefined
  // A person who was told that somebody else changed the product, and who saw the new values, may overwrite it.
  const seenAt = (isChanged ? undefined : visit.form?.text("seenAt")) ?? (product === null ? "" : DateTime.formatIso(product.updatedAt))
  const content = all(
    el("h1", {}, title),
    product !== null && isChanged ? changedNotice(visit, product, faults["changed"] ?? "") : faultSummary(visit, faults),
    form(
      visit,
      { action: visit.path, submit: say("Сачувај", "Save") },
      product === null ? taxpayerChoice(visit, entries, visit.form?.text("taxpayer") ?? "") : el("input", { type: "hidden", name: "seenAt", value: seenAt }),
      fields(visit, product, faults)
    ),
    el("p", {}, el("a", { href: "/catalogue" }, say("Назад на каталог", "Back to the catalogue")))
  )
  return page(title, el("div", { class: "card" }, content), faultStatus(faults))
})

const add = Effect.fnUntraced(function*(visit: MemberVisit) {
  const taxpayerId = yield* chosenTaxpayer(visit, visit.form?.text("taxpayer") ?? "")
  const read = decodeNewProduct({ taxpayerId, ...bodyOf(visit) })
  if (Result.isFailure(read)) return yield* formPage(visit, null, faultsOf(visit, read.failure))
  const wrong = digitFaults(visit, read.success.content.gtin, null)
  if (wrong !== null) return yield* formPage(visit, null, wrong)
  if (!(yield* isFirstSending(visit))) return redirect("/catalogue?done=already")
  yield* addProduct(actOf(visit), visit.tenant, read.success)
  return redirect("/catalogue?done=saved")
}, (effect, visit) => Effect.catchTag(effect, "CatalogueSkuAlreadyExists", () => formPage(visit, null, takenFault(visit))))

const opened = Effect.fnUntraced(function*(visit: MemberVisit) {
  const id = (visit.params["product"] ?? "").toLowerCase()
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return yield* new NotFound({})
  return yield* readProduct(visit.tenant, ProductId.make(id)).pipe(Effect.catchTag("ProductNotFound", () => new NotFound({})))
})

const changedFault = (visit: MemberVisit): Faults => ({
  changed: visit.say(
    "Неко је у међувремену изменио овај производ. Ништа није сачувано; ваш унос је испод. Ако га сачувате, замениће оно што је сада сачувано.",
    "Somebody has changed this product meanwhile. Nothing was saved; what you entered is below. Saving it replaces what is stored now."
  )
})

const edit = Effect.fnUntraced(function*(visit: MemberVisit) {
  const product = yield* opened(visit)
  const seenAt = Option.getOrNull(DateTime.make(visit.form?.text("seenAt") ?? ""))
  if (seenAt === null) return yield* new NotFound({})
  const read = decodeProductReplacement({ ...bodyOf(visit), isActive: visit.form?.text("isActive") === "yes" })
  if (Result.isFailure(read)) return yield* formPage(visit, product, faultsOf(visit, read.failure))
  const wrong = digitFaults(visit, read.success.gtin, product.gtin)
  if (wrong !== null) return yield* formPage(visit, product, wrong)
  if (!(yield* isFirstSending(visit))) return redirect("/catalogue?done=already")
  return yield* editProduct(actOf(visit), visit.tenant, product.id, { content: read.success, seenAt: DateTime.toUtc(seenAt) }).pipe(
    Effect.as(redirect("/catalogue?done=saved")),
    Effect.catchTags({
      CatalogueSkuAlreadyExists: () => formPage(visit, product, takenFault(visit)),
      ProductChanged: () => formPage(visit, product, changedFault(visit))
    })
  )
})

/** A product: the page of a new one, and the page of a stored one. */
export const productRoutes = [
  memberRoute("GET", "/catalogue/new", "catalogue:write", (visit) => formPage(visit, null)),
  memberRoute("POST", "/catalogue/new", "catalogue:write", add),
  memberRoute("GET", "/catalogue/:product", "catalogue:write", (visit) => Effect.flatMap(opened(visit), (product) => formPage(visit, product))),
  memberRoute("POST", "/catalogue/:product", "catalogue:write", edit)
]
