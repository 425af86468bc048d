import type { RequestFaults } from "@overa/domain"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { assets } from "../../assets/assets.ts"
import { all, el } from "../../html/el.ts"
import { type Faults, faultStatus, faultSummary } from "../../html/forms.ts"
import { page, redirect, type Reply } from "../../http/Reply.ts"
import { memberRoute, type Route } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { keepCashier, readCashier } from "../receipts/cashier.ts"
import { refusalSentence } from "../receipts/issueForm.ts"
import { draftFormHtml } from "./draftForm.ts"
import { type Asked, type Doing, type DraftKind, isAsked, nothingLooked, type Preview, type Shown } from "./DraftKind.ts"
import { becomeOf, draftOf, sourceOf } from "./draftOfDocument.ts"
import { faultWords, placeOfFault } from "./faultWords.ts"

const addressOf = (route: string, visit: MemberVisit): string => route.replaceAll(/:(\w+)/g, (_, name: string) => visit.params[name] ?? "")

interface Judged {
  readonly preview: Preview | null
  readonly refusal: string | null
}

const notAsked: Judged = { preview: null, refusal: null }

/** What the checks of issuing find in the entries that no field is known for, in words; null for another failure. */
const faultSentence = ({ say }: MemberVisit, error: unknown): string | null => {
  const [first] = (error as { readonly _tag?: unknown })._tag === "RequestFaults" ? (error as RequestFaults).faults : []
  return first === undefined ? null : say(...faultWords(placeOfFault(first.pointer)).words)
}

/** What was done, or what follows from the refusal of a rule, in words; any other failure stays one. */
const orRefused = <A>(visit: MemberVisit, doing: Doing<A>, then: (sentence: string) => Doing<A>): Doing<A> =>
  doing.pipe(Effect.catch((error) => {
    const sentence = refusalSentence(visit, error) ?? faultSentence(visit, error)
    return sentence === null ? Effect.fail(error) : then(sentence)
  }))

/** The preview, or why there is none: the checks of issuing itself, so the two cannot differ. */
const judged = (visit: MemberVisit, { seen, tried }: Asked): Doing<Judged> =>
  orRefused<Judged>(visit, Effect.map(tried, (papers) => ({ preview: { papers, seen }, refusal: null })), (refusal) => Effect.succeed({ preview: null, refusal }))

/** A draft that was no document when the request came. */
interface Opened {
  readonly draft: string
  /** Added to the address of the document that it has become. */
  readonly done: string
}

/** The page of one kind's drafts. */
const shownPage = <Subject, Typed>(kind: DraftKind<Subject, Typed>, visit: MemberVisit, shown: Shown<Subject, Typed>) => {
  const title = kind.title(visit, shown.subject)
  const nothing = kind.nothing(visit, shown.subject)
  const content = nothing === null ? all(faultSummary(visit, shown.faults), draftFormHtml(kind, visit, shown)) : nothing
  return page(title, [el("h1", {}, title), content], shown.refusal === null ? faultStatus(shown.faults) : 422, nothing === null ? [assets.issue] : [])
}

/**
 * The page of a draft, unless another sending of it was faster: what the page was read for may be used up by that one's document, so it is shown instead.
 */
const pageOrBecome = Effect.fnUntraced(function*<Subject, Typed>(kind: DraftKind<Subject, Typed>, visit: MemberVisit, { done, draft }: Opened, shown: Shown<Subject, Typed>) {
  const become = yield* becomeOf(visit, draft)
  return become === null ? shownPage(kind, visit, shown) : redirect(`/receipts/${become}${done}`)
})

/** What each of the three requests needs first: the draft is no document yet, and what it is issued for may be issued. */
const opened = Effect.fnUntraced(function*<Subject, Typed>(kind: DraftKind<Subject, Typed>, visit: MemberVisit, done: string) {
  const draft = yield* draftOf(visit)
  const become = yield* becomeOf(visit, draft)
  if (become !== null) return { _tag: "Elsewhere", to: redirect(`/receipts/${become}${done}`) } as const
  const source = yield* sourceOf(visit, draft)
  if (source._tag === "MayBeReceipt") return { _tag: "Elsewhere", to: redirect(`/receipts/${source.document.id}`) } as const
  const subject = yield* kind.subject(visit)
  const document = source._tag === "Failed" ? source.document : null
  const shown: Omit<Shown<Subject, Typed>, "typed"> = {
    address: addressOf(kind.route, visit), subject, faults: {}, ...notAsked, looked: nothingLooked, changed: false, source: document
  }
  return { _tag: "Draft", draft, done, shown } as const
})

const open = Effect.fnUntraced(function*<Subject, Typed>(kind: DraftKind<Subject, Typed>, visit: MemberVisit) {
  const found = yield* opened(kind, visit, "")
  if (found._tag === "Elsewhere") return found.to
  const { draft, shown } = found
  const typed = visit.kept === null ? kind.start(visit, draft, shown.subject, shown.source) : kind.typedIn(visit.kept)
  const read = kind.read(visit, draft, typed, shown.subject)
  return yield* pageOrBecome(kind, visit, found, { ...shown, typed, ...(isAsked(read) ? yield* judged(visit, read) : notAsked) })
})

/** The entries after a button was pressed, with the preview wherever they are complete. Nothing is issued. */
const enter = Effect.fnUntraced(function*<Subject, Typed>(kind: DraftKind<Subject, Typed>, visit: MemberVisit) {
  const { form } = visit
  if (form === null) return yield* new NotFound({})
  const found = yield* opened(kind, visit, "?done=already")
  if (found._tag === "Elsewhere") return found.to
  const { draft, shown } = found
  const { looked, typed } = yield* kind.pressed(visit, form, kind.typedIn(form), shown.subject)
  const read = kind.read(visit, draft, typed, shown.subject)
  const isAskedFor = form.text("act") === "preview" || (form.text("act") === "find" && looked.products === null)
  const faults: Faults = !isAsked(read) && isAskedFor ? read : {}
  return yield* pageOrBecome(kind, visit, found, { ...shown, typed, faults, looked, ...(isAsked(read) ? yield* judged(visit, read) : notAsked) })
})

/** Issues exactly what was previewed, under the key of the draft. */
const issue = Effect.fnUntraced(function*<Subject, Typed>(kind: DraftKind<Subject, Typed>, visit: MemberVisit) {
  const { form } = visit
  if (form === null) return yield* new NotFound({})
  const found = yield* opened(kind, visit, "?done=already")
  if (found._tag === "Elsewhere") return found.to
  const { draft, shown } = found
  const typed = kind.typedIn(form)
  const read = kind.read(visit, draft, typed, shown.subject)
  if (!isAsked(read)) return yield* pageOrBecome(kind, visit, found, { ...shown, typed, faults: read })
  if (form.text("seen") !== read.seen) return yield* pageOrBecome(kind, visit, found, { ...shown, typed, ...(yield* judged(visit, read)), changed: true })
  yield* keepCashier(visit, readCashier(visit) ?? "")
  return yield* orRefused<Reply>(visit, Effect.map(read.issued, (id) => redirect(`/receipts/${id}`)), (refusal) => pageOrBecome(kind, visit, found, { ...shown, typed, refusal }))
})

/** The routes of a kind's drafts; its address without a draft opens a new one. */
export const draftRoutes = <Subject, Typed>(kind: DraftKind<Subject, Typed>): ReadonlyArray<Route> => {
  const start = kind.route.slice(0, kind.route.lastIndexOf("/"))
  return [
    memberRoute("GET", start, "receipts:issue", (visit) => Effect.map(kind.subject(visit), () => redirect(`${addressOf(start, visit)}/${randomUUID()}${visit.search}`))),
    memberRoute("GET", kind.route, "receipts:issue", (visit) => open(kind, visit)),
    memberRoute("POST", `${kind.route}/entry`, "receipts:issue", (visit) => enter(kind, visit)),
    memberRoute("POST", kind.route, "receipts:issue", (visit) => issue(kind, visit))
  ]
}
