import { JournalActs, JournalAudit, type LogReport, RecordActs } from "@overa/domain"
import { Effect } from "effect"
import { all, el, type Html } from "../../../html/el.ts"
import { notice, table } from "../../../html/parts.ts"
import { page } from "../../../http/Reply.ts"
import type { PersonVisit } from "../../../http/Visit.ts"
import { beforeProxyGivesUp } from "../beforeProxyGivesUp.ts"
import { ActInvalid, type OperatorAct } from "../OperatorAct.ts"

const findings = ({ say }: PersonVisit, logs: ReadonlyArray<LogReport>): Html =>
  table(
    [say("Организација", "Organization"), say("Окружење", "Environment"), say("Упоређено", "Compared"), say("Налаз", "Finding"), say("Документ", "Document"), say("Шта", "What")],
    logs.flatMap(({ environment, findings: found, leaves, organizationId }) =>
      found.length === 0
        ? [[organizationId, environment, String(leaves), "–", "–", "–"]]
        : found.map((it) => [organizationId, environment, String(leaves), it.kind, it.documentId ?? "–", it.detail])),
    { caption: say("Налази", "Findings"), empty: say("Још ништа није запечаћено.", "Nothing is sealed yet."), numbers: [2] }
  )

const reportPage = (visit: PersonVisit, logs: ReadonlyArray<LogReport>, found: number) => {
  const { say } = visit
  const title = say("Провера дневника рачуна", "Verification of the journal")
  return page(title, all(
    el("h1", {}, title),
    found === 0
      ? notice("good", el("p", {}, say("Све је онако како је запечаћено.", "All is as it was sealed.")))
      : notice("bad", el("p", {}, say("Налаза: ", "Findings: "), String(found))),
    findings(visit, logs),
    el("p", {}, el("a", { href: "/operator/installation" }, say("Назад", "Back")))
  ))
}

const tooLong = ({ say }: PersonVisit): ActInvalid =>
  new ActInvalid({ field: "act", sentence: say("Траје дуже од 40 секунди; покрените „npm run admin -- journal verify“.", "It takes longer than 40 seconds; run “npm run admin -- journal verify”.") })

const verify: OperatorAct = {
  path: "/operator/journal/verify",
  title: ["Провери дневник рачуна", "Verify the journal"],
  warning: [
    "Упоређује се сваки документ инсталације са запечаћеним дневником. Ако траје дуже од 40 секунди, користите команду „journal verify“.",
    "Every document of the installation is compared with the sealed log. If it takes longer than 40 seconds, use the command “journal verify”."
  ],
  fields: () => Effect.succeed([]),
  run: Effect.fnUntraced(function*(visit, act) {
    const logs = yield* (yield* JournalAudit).verify.pipe(beforeProxyGivesUp(() => tooLong(visit)))
    const found = logs.reduce((sum, log) => sum + log.findingCount, 0)
    const after = JSON.stringify({ logs: logs.length, leaves: logs.reduce((sum, log) => sum + log.leaves, 0), findings: found })
    yield* (yield* RecordActs).record(act, { organizationId: null, act: "journal verified", subject: "journal", after })
    return reportPage(visit, logs, found)
  })
}

const rotateKey: OperatorAct = {
  path: "/operator/journal/key",
  title: ["Нови кључ дневника рачуна", "New key of the journal's log"],
  warning: ["Потписује од следеће контролне тачке; раније остају проверљиве.", "It signs from the next checkpoint on; earlier ones stay verifiable."],
  fields: () => Effect.succeed([]),
  run: Effect.fnUntraced(function*(_visit, act) {
    yield* (yield* JournalActs).rotateKey(act)
    return "/operator/installation?done=saved"
  })
}

/** The log that shows whether the journal was rewritten. */
export const journalActs: ReadonlyArray<OperatorAct> = [verify, rotateKey]
