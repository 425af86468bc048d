import { OperationOversight, RestoreActs } from "@overa/domain"
import { DateTime, Effect, Option } from "effect"
import { type ActField, ActInvalid, type OperatorAct } from "../OperatorAct.ts"

const beginRestore: OperatorAct = {
  path: "/operator/restore/begin",
  title: ["Објави да је база враћена на раније стање", "Declare that the database was restored"],
  warning: [
    "У оба окружења се ништа не издаје док се ово не заврши; захтеви продавница се одбијају и могу се поновити.",
    "Nothing is issued in either environment until it is ended; the shops' requests are refused and can be repeated."
  ],
  fields: () =>
    Effect.succeed([
      { kind: "text", name: "since", words: ["Тренутак на који је враћена, нпр. 2026-08-29T10:30:00Z", "The point it was restored to, 2026-08-29T10:30:00Z for example"], more: { required: true, autocomplete: "off" } }
    ]),
  run: Effect.fnUntraced(function*(visit, act) {
    const text = visit.form?.text("since") ?? ""
    const since = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? Option.getOrNull(DateTime.make(text)) : null
    if (since === null) return yield* new ActInvalid({ field: "since", sentence: visit.say("Унесите тренутак са зоном, нпр. 2026-08-29T10:30:00Z.", "Enter a time with its zone, 2026-08-29T10:30:00Z for example.") })
    if (DateTime.isGreaterThan(since, yield* DateTime.now)) return yield* new ActInvalid({ field: "since", sentence: visit.say("Тренутак је у будућности.", "That time lies in the future.") })
    yield* (yield* RestoreActs).begin(act, DateTime.toUtc(since))
    return "/operator/installation?done=saved"
  })
}

/** Unresolved documents that are counted. */
const most = 10_000

const endRestore: OperatorAct = {
  path: "/operator/restore/end",
  title: ["Заврши враћање", "End the restore"],
  warning: [
    "Захтеви чији су рачуни заборављени а нису преузети назад биће потписани још једном ако их продавнице понове.",
    "Requests whose receipts were forgotten and not taken back are signed a second time if their callers repeat them."
  ],
  fields: Effect.fnUntraced(function*(visit) {
    const unresolved = (yield* (yield* OperationOversight).unresolved(most)).length
    return [{
      kind: "choice",
      name: "confirm",
      words: ["Јесте ли преузели назад све заборављене рачуне?", "Have all forgotten receipts been taken back?"],
      options: [["no", visit.say("Нисам сигуран", "I am not sure")], ["yes", visit.say(`Јесам; нерешених докумената: ${unresolved}`, `Yes; unresolved documents: ${unresolved}`)]]
    }] satisfies ReadonlyArray<ActField>
  }),
  run: Effect.fnUntraced(function*(visit, act) {
    if (visit.form?.text("confirm") !== "yes") {
      return yield* new ActInvalid({ field: "confirm", sentence: visit.say("Прво преузмите назад рачуне: упутство је у документацији инсталације.", "Take the receipts back first: the documentation's “Restore” says how.") })
    }
    yield* (yield* RestoreActs).end(act)
    return "/operator/installation?done=saved"
  })
}

/** What to do after the database was restored to an earlier point in time. */
export const restoreActs: ReadonlyArray<OperatorAct> = [beginRestore, endRestore]
