import { el, type Html } from "../../html/el.ts"
import { notice } from "../../html/parts.ts"
import { isSamePlace, type Place, placePrefix } from "../../http/Place.ts"
import { page, type Reply } from "../../http/Reply.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { placeWords } from "../placeWords.ts"

const named = (visit: MemberVisit, place: Place): Html => el("strong", {}, placeWords(visit.say, visit.person, place))

/** A form that was made in another place than the one it was sent to, or that names none: nothing was done. */
export const formOfAnotherPlace = (visit: MemberVisit, formPlace: Place | null): Reply => {
  const { say } = visit
  const title = say("Образац није одавде", "The form is not from here")
  return page(title, [
    el("h1", {}, title),
    notice(
      "bad",
      el("p", {}, say("Ништа није промењено. ", "Nothing was changed. ")),
      formPlace === null || isSamePlace(formPlace, visit.place)
        ? el("p", {}, say("Образац не каже за коју је организацију и окружење. Отворите страницу поново и пошаљите га одатле.", "The form does not say for which organization and environment it is. Open the page again and send it from there."))
        : el("p", {}, say("Образац је за: ", "The form is for: "), named(visit, formPlace), say(". Послат је на: ", ". It was sent to: "), named(visit, visit.place), ".")
    ),
    el("p", {}, el("a", { href: "/" }, say("На почетак", "To the start")))
  ], 409)
}

/** A document that is in another place of the person than the address says. */
export const documentOfAnotherPlace = (visit: MemberVisit, found: Place): Reply => {
  const { form, path, say } = visit
  const title = say("Документ је на другом месту", "The document is in another place")
  const documentPath = path.split("/", 3).join("/")
  return page(title, [
    el("h1", {}, title),
    notice(
      "wait",
      form === null ? null : el("p", {}, say("Ништа није урађено.", "Nothing was done.")),
      el("p", {}, say("Адреса је за: ", "The address is for: "), named(visit, visit.place), say(". Документ је у: ", ". The document is in: "), named(visit, found), ".")
    ),
    el("p", {}, el("a", { href: placePrefix(found) + documentPath }, say("Отвори документ тамо", "Open the document there")))
  ], 404)
}
