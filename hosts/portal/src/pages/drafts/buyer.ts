import {
  buyerIdFault, buyerIdPrefixes, digitExpectedInBuyerId, foldText, JournalStore, noFilter, type Operation, registerTaxIdentifier
} from "@overa/domain"
import { Effect, Option } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { choice, type Faults, field } from "../../html/forms.ts"
import { notice } from "../../html/parts.ts"
import type { Form } from "../../http/Form.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { taxIdDigitWords } from "../checkDigitWords.ts"
import { registeredCompany } from "../registeredCompany.ts"
import { buyerKindWords } from "./buyerKindWords.ts"
import { entryButton } from "./draftForm.ts"
import type { EarlierBuyer, Looked } from "./DraftKind.ts"

/** A buyer as typed: the kind of identification, and its value. */
export interface TypedBuyer {
  /** A prefix of the contract, `10` for example; empty where nobody chose one. */
  readonly kind: string
  readonly id: string
}

export const noBuyer: TypedBuyer = { kind: "", id: "" }

const withPrefix = /^(\d{2}):(.+)$/

/** A buyer's identification as the form shows it. */
export const typedBuyerOf = (id: string | null | undefined): TypedBuyer => {
  const [, kind = "", value = ""] = withPrefix.exec(id ?? "") ?? []
  return buyerIdPrefixes.includes(kind) ? { kind, id: value } : { kind: "", id: id ?? "" }
}

export const buyerIn = (form: Form): TypedBuyer => ({ kind: buyerIdPrefixes.find((it) => it === form.text("buyer-kind")) ?? "", id: form.text("buyer") })

/** The identification of the contract. A prefix that is typed wins; of nine digits alone it is a tax id, of thirteen a personal number. */
export const buyerIdOf = ({ id, kind }: TypedBuyer): string => {
  if (id === "" || withPrefix.test(id)) return id
  if (kind !== "") return `${kind}:${id}`
  if (/^\d{9}$/.test(id)) return `10:${id}`
  return /^\d{13}$/.test(id) ? `11:${id}` : id
}

/** What is wrong with the form of the identification, in the words of its kind. */
const formWords = ({ say }: MemberVisit, id: string): string => {
  const prefix = id.slice(0, 2)
  if (!buyerIdPrefixes.includes(prefix) || id.charAt(2) !== ":") return say("Изаберите врсту идентификације, па унесите број.", "Choose the kind of identification, then enter the number.")
  if (prefix === "10" || prefix === "14") return say("ПИБ има тачно девет цифара.", "A tax id has exactly nine digits.")
  if (prefix === "11" || prefix === "15") return say("ЈМБГ има тачно тринаест цифара.", "A personal number has exactly thirteen digits.")
  if (prefix === "12") return say("Унесите ПИБ, две тачке и ЈБКЈС, нпр. 100000008:12345.", "Enter the tax id, a colon and the budget user's number: 100000008:12345 for example.")
  return say("Број има 1 до 17 знакова, без размака и без слова ван енглеске абецеде.", "The number has 1 to 17 characters, no spaces and only letters of the English alphabet.")
}

/**
 * The faults of a buyer's identification. `signed` is the buyer on the receipt that is given back: taken as it was signed there, whatever its last digit.
 * `missing` is said where there is none; null where none is needed.
 */
export const buyerFaults = (visit: MemberVisit, buyer: TypedBuyer, { missing, signed = null }: { readonly missing: string | null; readonly signed?: string | null }): Faults => {
  const id = buyerIdOf(buyer)
  if (id === "") return missing === null ? {} : { buyer: missing }
  if (buyerIdFault(id) !== undefined) return { buyer: formWords(visit, id) }
  const expected = id === signed ? undefined : digitExpectedInBuyerId(id)
  return expected === undefined ? {} : { buyer: taxIdDigitWords(visit.say, expected) }
}

const registered = Effect.fnUntraced(function*(buyer: TypedBuyer) {
  const identifier = registerTaxIdentifier(buyerIdOf(buyer))
  return Option.isNone(identifier) ? null : yield* registeredCompany(identifier.value)
})

const mostShown = 8
const mostRead = 100
const fewestSought = 3

const earlierBuyer = ({ buyerDetails, content }: Operation): EarlierBuyer | null => {
  const id = content.buyer?.id ?? null
  return id === null ? null : { id, name: buyerDetails?.legalName ?? null }
}

/** Buyers of earlier receipts by a part of the identification, and of the newest ones by a part of the name. */
const earlierBuyers = Effect.fnUntraced(function*(visit: MemberVisit, text: string) {
  const sought = foldText(text)
  if (sought.length < fewestSought) return []
  const journal = yield* JournalStore
  const read = (filter: typeof noFilter) => Effect.map(journal.page(visit.tenant, filter, { cursor: null, pageSize: mostRead }), ({ items }) => items)
  const documents = [...(yield* read({ ...noFilter, text })), ...(yield* read(noFilter))]
  const found = new Map<string, EarlierBuyer>()
  for (const document of documents) {
    const buyer = earlierBuyer(document)
    if (buyer === null || !foldText(`${buyer.id} ${buyer.name ?? ""}`).includes(sought)) continue
    if ((found.get(buyer.id)?.name ?? null) === null) found.set(buyer.id, buyer)
  }
  return [...found.values()].slice(0, mostShown)
})

/** The buyer after a button was pressed, with what the register and earlier receipts say. */
export const lookUpBuyer = Effect.fnUntraced(function*(visit: MemberVisit, form: Form, typed: TypedBuyer) {
  const chosen = form.text("choose") === "" ? typed : typedBuyerOf(form.text("choose"))
  const isSought = form.text("act") === "buyer" && chosen.id !== ""
  const buyer = isSought ? typedBuyerOf(buyerIdOf(chosen)) : chosen
  const looked: Pick<Looked, "buyer" | "buyers"> = { buyer: yield* registered(buyer), buyers: isSought ? yield* earlierBuyers(visit, chosen.id) : null }
  return { buyer, looked }
})

const chosenHtml = (typed: TypedBuyer, { buyer }: Pick<Looked, "buyer">): Html =>
  buyer === null ? null : el("p", {}, el("strong", {}, buyer.legalName), ` (${buyerIdOf(typed)})`)

const earlierHtml = ({ say }: MemberVisit, address: string, { buyer, buyers }: Pick<Looked, "buyer" | "buyers">, typed: TypedBuyer): Html => {
  if (buyers === null) return null
  const others = buyers.filter(({ id }) => id !== buyerIdOf(typed))
  if (others.length === 0 && buyers.length + (buyer === null ? 0 : 1) > 0) return buyers.length === 0 ? null : el("p", { class: "hint" }, say("Ранији купац.", "A buyer of an earlier receipt."))
  if (others.length === 0) return notice("wait", el("p", {}, say("Таквог купца нема међу ранијима, ни у регистру.", "There is no such buyer on earlier receipts, nor in the register.")))
  return el("ul", { class: "plain" }, others.map(({ id, name }) => el("li", {}, entryButton({ address }, "choose", id, [say("Изабери: ", "Choose: "), name === null ? id : `${name} (${id})`]))))
}

/** The fields of a buyer. */
export const buyerHtml = (
  visit: MemberVisit,
  { address, faults, legend, looked, typed }: { readonly address: string; readonly faults: Faults; readonly legend: string; readonly looked: Looked; readonly typed: TypedBuyer }
): Html => {
  const { say } = visit
  const kinds = [["", say("по броју цифара", "by the number of digits")] as const, ...buyerIdPrefixes.map((prefix) => [prefix, `${prefix}: ${buyerKindWords(say, prefix)}`] as const)]
  return el(
    "fieldset",
    {},
    el("legend", {}, legend),
    el(
      "div",
      { class: "filter" },
      choice({ name: "buyer-kind", label: say("Врста идентификације", "Kind of identification"), value: typed.kind, options: kinds }),
      field({ name: "buyer", label: say("Број", "Number"), hint: say("ПИБ, ЈМБГ, број личне карте… или део броја или назива ранијег купца", "Tax id, personal number, identity card… or a part of an earlier buyer's number or name"), autocomplete: "off", value: typed.id, fault: faults["buyer"] }),
      entryButton({ address }, "act", "buyer", say("Нађи купца", "Find the buyer"))
    ),
    all(chosenHtml(typed, looked), earlierHtml(visit, address, looked, typed))
  )
}
