import { BigDecimal, Result } from "effect"
import * as fc from "fast-check"
import { digitExpectedInGtin } from "../../src/catalogue/digitExpectedInGtin.ts"
import { matchesSearch } from "../../src/catalogue/matchesSearch.ts"
import { decodeNewProduct, decodeProductReplacement } from "../../src/catalogue/ProductRequest.ts"
import { Sku, takeSku } from "../../src/catalogue/Product.ts"
import type { RequestFaults } from "../../src/requests/Fault.ts"
import { foldCharacter, foldText } from "../../src/search/foldText.ts"
import { productContent, productId } from "../arbitraries/Product.ts"
import { taxpayerUuid } from "../arbitraries/SaleBody.ts"
import { decimal } from "../arbitraries/SaleLine.ts"
import { rule } from "./ruleBook.ts"

rule("CATALOGUE-7", {
  says: "A sku names one product of its taxpayer, active or not; a product keeps its own, and look-alikes and capitals are others.",
  source: "Spec, Catalogue operations (409); Errors, Catalogue; Decisions §1 (strings are neither trimmed nor normalized)",
  proves: ["CATALOGUE_SKU_ALREADY_EXISTS"]
}, ({ holds }) => {
  const id = fc.integer({ min: 1, max: 4 }).map(productId)
  const sku = productContent.map((product) => product.sku)
  holds("a taken sku is refused, with the product that has it", { sku, holder: fc.option(id), product: fc.option(id) }, ({ sku: wanted, holder, product }) => {
    const answer = takeSku(wanted, holder, product)
    if (holder === null || holder === product) return Result.isSuccess(answer)
    return Result.isFailure(answer) && answer.failure.code === "CATALOGUE_SKU_ALREADY_EXISTS" &&
      answer.failure.productId === holder && answer.failure.sku === wanted
  })
  holds("whoever creates and renames in whatever order, no sku has two products", {
    wishes: fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom("A", "А", "a", " A")))
  }, ({ wishes }) => {
    const skuOf = new Map<string, string>()
    for (const [number, name] of wishes) {
      const product = productId(number)
      const holder = [...skuOf].find(([, taken]) => taken === name)?.[0]
      const mayTake = takeSku(Sku.make(name), holder === undefined ? null : (holder as typeof product), skuOf.has(product) ? product : null)
      if (Result.isSuccess(mayTake)) skuOf.set(product, name)
    }
    return new Set(skuOf.values()).size === skuOf.size
  })
})

const replacement = {
  sku: "001",
  gtin: "8600000000011",
  name: "Хлеб",
  unitOfMeasure: "kom",
  grossUnitPrice: decimal("120.5"),
  taxLabels: ["Ђ"],
  isActive: false
}
const { isActive: _, ...fields } = replacement
const creation = { taxpayerId: taxpayerUuid, ...fields }

const pointersOf = (answer: Result.Result<unknown, RequestFaults>): string =>
  Result.isSuccess(answer) ? "" : answer.failure.faults.map(({ pointer }) => pointer).join(" ")

const long = (count: number, letter = "x"): string => letter.repeat(count)

rule("CATALOGUE-8", {
  says: "A product's fields keep their bounds wherever they come from; every fault is named at its place.",
  source: "Spec, Catalogue operations; Limits; Decisions §1 (unknown fields, bounds in code points, at most two decimals)"
}, ({ holds, holdsForEvery }) => {
  const bounds: ReadonlyArray<readonly [Record<string, unknown>, string]> = [
    [{ sku: long(100) }, ""],
    [{ sku: long(100, "👩") }, ""],
    [{ sku: long(101) }, "/sku"],
    [{ sku: "" }, "/sku"],
    [{ sku: null }, "/sku"],
    [{ sku: "a\tb" }, "/sku"],
    [{ gtin: null }, ""],
    [{ gtin: long(32) }, ""],
    [{ gtin: long(33) }, "/gtin"],
    [{ gtin: "" }, "/gtin"],
    [{ gtin: "8,6E+12" }, "/gtin"],
    [{ gtin: "8.60000001E+12" }, "/gtin"],
    [{ gtin: "8E+12" }, "/gtin"],
    [{ gtin: "8E12" }, ""],
    [{ name: long(500) }, ""],
    [{ name: long(501) }, "/name"],
    [{ name: "" }, "/name"],
    [{ unitOfMeasure: long(50) }, ""],
    [{ unitOfMeasure: long(51) }, "/unitOfMeasure"],
    [{ unitOfMeasure: null }, "/unitOfMeasure"],
    [{ grossUnitPrice: decimal("0") }, ""],
    [{ grossUnitPrice: decimal("999999999999.99") }, ""],
    [{ grossUnitPrice: decimal("1000000000000") }, "/grossUnitPrice"],
    [{ grossUnitPrice: decimal("-0.01") }, "/grossUnitPrice"],
    [{ grossUnitPrice: decimal("0.001") }, "/grossUnitPrice"],
    [{ grossUnitPrice: "1" }, "/grossUnitPrice"],
    [{ taxLabels: [] }, "/taxLabels"],
    [{ taxLabels: ["Ђ", "Ђ"] }, "/taxLabels"],
    [{ taxLabels: ["Ђ", ""] }, "/taxLabels/1"],
    [{ taxLabels: ["Ђ|Е"] }, "/taxLabels/0"],
    [{ taxLabels: "Ђ" }, "/taxLabels"],
    [{ note: "x" }, "/note"]
  ]
  holdsForEvery("in the body that makes a product", bounds, ([change, pointers]) => pointersOf(decodeNewProduct({ ...creation, ...change })) === pointers)
  holdsForEvery("in the body that replaces one", bounds, ([change, pointers]) =>
    pointersOf(decodeProductReplacement({ ...replacement, ...change })) === pointers)
  const own: ReadonlyArray<readonly [Result.Result<unknown, RequestFaults>, string]> = [
    [decodeNewProduct({ ...creation, taxpayerId: "15" }), "/taxpayerId"],
    [decodeNewProduct(fields), "/taxpayerId"],
    [decodeNewProduct({ ...creation, isActive: true }), "/isActive"],
    [decodeProductReplacement(fields), "/isActive"],
    [decodeProductReplacement({ ...replacement, isActive: "true" }), "/isActive"],
    [decodeProductReplacement({ ...replacement, taxpayerId: "15" }), "/taxpayerId"],
    [decodeProductReplacement({ ...replacement, createdAt: "yesterday" }), "/createdAt"]
  ]
  holdsForEvery("the taxpayer of a new product is named; only a replacement says whether it is active", own, ([answer, pointer]) => pointersOf(answer) === pointer)
  holdsForEvery("a new product is active, an absent gtin is none", [{ ...creation, taxpayerId: taxpayerUuid.toUpperCase(), gtin: null }], (body) => {
    const { gtin: absent, ...without } = body
    const answers = [decodeNewProduct(body), decodeNewProduct(without)]
    return absent === null && answers.every((answer) =>
      Result.isSuccess(answer) && answer.success.content.isActive && answer.success.content.gtin === null && answer.success.taxpayerId === taxpayerUuid)
  })
  holds("what is accepted is kept as it was written", { product: productContent.filter(({ unitOfMeasure }) => unitOfMeasure !== null) }, ({ product }) => {
    const replaced = decodeProductReplacement(product)
    return Result.isSuccess(replaced) && replaced.success.sku === product.sku && replaced.success.name === product.name &&
      replaced.success.gtin === product.gtin && replaced.success.unitOfMeasure === product.unitOfMeasure &&
      replaced.success.isActive === product.isActive && replaced.success.taxLabels.join("|") === product.taxLabels.join("|") &&
      BigDecimal.equals(replaced.success.grossUnitPrice, product.grossUnitPrice)
  })
})

rule("CATALOGUE-9", {
  says: "A search finds a product by any part of its name, sku or gtin, whatever the letter case, script and diacritics, and by nothing else.",
  source: "Spec, Catalogue operations (GET /v1/products); Decisions §11"
}, ({ holds, holdsForEvery }) => {
  const letters = fc.constantFrom(..."ŠEĆERшећерЊњЉљЏџЂђĐđΣσςßİ ǅ ﬁéё", "👩‍🌾", "e\u0301")
  const written = fc.oneof(fc.string({ minLength: 1, unit: "binary" }), fc.array(letters, { minLength: 1 }).map((parts) => parts.join("")))
  holds("every part of a name, sku or gtin finds it", { product: productContent, name: written, of: fc.nat(), from: fc.nat(), length: fc.integer({ min: 1, max: 5 }) }, ({ product, name, of, from, length }) => {
    const named = { ...product, name }
    const characters = [...[named.name, named.sku, named.gtin ?? named.name][of % 3] ?? ""]
    const at = from % characters.length
    return matchesSearch(named, characters.slice(at, at + length).join(""))
  })
  holds("a text folds character by character, so that a part of it folds to a part", { one: written, other: written }, ({ one, other }) =>
    foldText(one + other) === foldText(one) + foldText(other))
  holds("folding twice changes nothing, and leaves no capital letter and no control character", { text: written }, ({ text }) =>
    foldText(foldText(text)) === foldText(text) && !/[A-Z\u0400-\u042F\p{Cc}]/u.test(foldText(text)))
  const product = { name: "Хлеб бели", sku: Sku.make("HL-001"), gtin: null }
  const searches: ReadonlyArray<readonly [string, boolean]> = [["ХЛЕБ", true], ["бели", true], ["hl-0", true], ["001", true], ["црни", false], ["HLEB", true], ["null", false], ["бели HL", false], ["бели\nhl", false]]
  holdsForEvery("worked examples", searches, ([search, found]) => matchesSearch(product, search) === found)
  const folded: ReadonlyArray<readonly [string, string]> = [
    ["secer", "Шећер"], ["ŠEĆER", "шећер"], ["шећер", "Šećer"], ["njegos", "Његош"], ["ЉУБАВ", "ljubav"], ["dzem", "Џем"], ["džem", "џем"],
    ["djordje", "Ђорђе"], ["Đorđe", "ђорђе"], ["djordje", "Đorđe"], ["ÇA", "ca"], ["ΟΔΟΣ", "οδος"], ["strasse", "Straße"]
  ]
  holdsForEvery("the same words in another script", folded, ([search, name]) => matchesSearch({ ...product, name }, search))
  const anew = (text: string): string => [...text].map(foldCharacter).join("")
  holdsForEvery("each of their characters, computed anew", folded, ([search, name]) => anew(name).includes(anew(search)) && !/[A-Z]/.test(anew(name)))
  holdsForEvery("a control character is a blank", ["\n", "\u0007", "\u009f"], (control) => foldCharacter(control) === " ")
  holds("a folded text is its characters folded anew", { text: written }, ({ text }) => foldText(text) === anew(text))
})

rule("CATALOGUE-13", {
  says: "A GTIN ends with its check digit, modulo 10; where a person enters another one, the digit expected is told. The API takes it.",
  source: "GS1 General Specifications, check digit calculation; Spec, Resources, LineItem (8 to 14 digits)"
}, ({ holds, holdsForEvery }) => {
  const digits = fc.stringMatching(/^[0-9]{7,13}$/)
  holdsForEvery("codes of known goods are right", ["4006381333931", "036000291452", "96385074", "8600000000011", "10614141000415"], (gtin) => digitExpectedInGtin(gtin) === undefined)
  holds("the digit that is told is the one that is right; of a right code none is told", { first: digits, last: fc.integer({ min: 0, max: 9 }) }, ({ first, last }) => {
    const expected = digitExpectedInGtin(`${first}${last}`)
    return expected === undefined || (expected !== String(last) && digitExpectedInGtin(first + expected) === undefined)
  })
  holds("one wrong digit is always noticed", { first: digits, at: fc.integer({ min: 0, max: 12 }), other: fc.integer({ min: 1, max: 9 }) }, ({ at, first, other }) => {
    const right = first + (digitExpectedInGtin(`${first}0`) ?? "0")
    const place = at % first.length
    return digitExpectedInGtin(right.slice(0, place) + String((Number(right[place]) + other) % 10) + right.slice(place + 1)) !== undefined
  })
  holds("zeros in front change nothing", { code: fc.stringMatching(/^[0-9]{8,12}$/), zeros: fc.integer({ min: 1, max: 2 }) },
    ({ code, zeros }) => digitExpectedInGtin(code) === digitExpectedInGtin("0".repeat(zeros) + code))
  holdsForEvery("what is not 8 to 14 digits is judged by other rules", ["", "1234567", "123456789012345", "8600000A", "8,6E+12"], (text) => digitExpectedInGtin(text) === undefined)
  holds("a product of the API keeps whatever digit it has", { gtin: digits.map((text) => `${text}9`) },
    ({ gtin }) => Result.isSuccess(decodeNewProduct({ ...creation, gtin })) && Result.isSuccess(decodeProductReplacement({ ...replacement, gtin })))
})
