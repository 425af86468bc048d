import { Effect } from "effect"
import { all, el } from "../../html/el.ts"
import { type Faults, faultStatus, faultSummary } from "../../html/forms.ts"
import { notice, refusalNotice } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { confirmed, confirmedForm } from "../confirmPerson.ts"
import { doneNotice } from "../doneNotice.ts"
import type { PageFolder } from "../PageFolder.ts"
import { actOf, isFirstSending } from "../personAct.ts"
import { everythingReply, everythingTitle, everythingWarning, takenWords } from "./everythingReply.ts"

const path = "/leaving"

const show = Effect.fnUntraced(function*(visit: MemberVisit, faults: Faults = {}) {
  const { say } = visit
  const title = say(...everythingTitle)
  const { taken, ...others } = faults
  const { html, scripts } = yield* confirmedForm(visit, { action: path, submit: title }, others)
  const content = all(
    el("h1", {}, title),
    doneNotice(visit),
    refusalNotice(taken),
    faultSummary(visit, others),
    el("p", {}, say(
      "Све што организација има овде, у отвореним форматима, као једна архива (.tar.gz): за прелазак другде, за ревизора или за вашу резервну копију.",
      "Everything that the organization has here, in open formats, as one archive (.tar.gz): to go elsewhere, for an auditor, or as a back-up of your own."
    )),
    notice("wait", el("p", {}, say(...everythingWarning))),
    el("p", {}, say(
      "Датотека README.txt у архиви каже шта је шта. Архиву проверава програм overa-verify, без ове услуге и без мреже; прекинуто преузимање препознаје.",
      "README.txt in the archive says what is what. The program overa-verify checks the archive, without this service and without a network; it recognizes a download that broke off."
    )),
    html
  )
  return page(title, el("div", { class: "card narrow" }, content), faultStatus(faults), scripts)
})

const take = Effect.fnUntraced(function*(visit: MemberVisit) {
  const download = Effect.gen(function*() {
    if (!(yield* isFirstSending(visit))) return redirect(`${path}?done=already`)
    return yield* everythingReply(actOf(visit), visit.organizationId)
  }).pipe(
    Effect.catchTag("LeavingTaken", (held) => show(visit, { taken: takenWords(visit.say, held) })),
    Effect.catchTags({ LeavingUnknown: () => new NotFound({}), ActRefused: () => new NotFound({}) })
  )
  return yield* confirmed(visit, download, (faults) => show(visit, faults))
})

/** Leaving with everything: an owner downloads all that the organization has. */
export const leaving: PageFolder = {
  navigation: [],
  routes: [memberRoute("GET", path, "everything:take", (visit) => show(visit)), memberRoute("POST", path, "everything:take", take)]
}
