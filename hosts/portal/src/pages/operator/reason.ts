import type { Act } from "@overa/domain"
import type { Html } from "../../html/el.ts"
import { type Faults, field } from "../../html/forms.ts"
import type { PersonVisit, Visit } from "../../http/Visit.ts"
import type { Say } from "../../language/Language.ts"

/** A reason that the activity log keeps. */
export const isReason = (text: string): boolean => text !== "" && text.length <= 500

/** Said where the reason is missing or too long. */
export const reasonWanted = (say: Say): string => say("Напишите разлог, највише 500 знакова.", "Write the reason, at most 500 characters.")

/** The field of the reason that each act of an operator asks for. */
export const reasonField = ({ form, say }: Visit, faults: Faults): Html =>
  field({
    name: "reason",
    label: say("Разлог", "Reason"),
    hint: say("Остаје у дневнику: уговор, захтев, тикет.", "Stays in the activity log: contract, request, ticket."),
    required: true,
    value: form?.text("reason") ?? "",
    fault: faults["reason"]
  })

/** An operator's act, for the activity log. */
export const operatorAct = ({ person }: PersonVisit, reason: string): Act => ({ actor: `operator:${person.email}`, reason })
