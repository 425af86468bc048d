import { type Passkey, SecondFactors } from "@overa/domain"
import { Effect } from "effect"
import { el, type Html } from "../../html/el.ts"
import { card, table } from "../../html/parts.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { moment } from "../../language/formats.ts"
import { siteOf } from "../passkeyForm.ts"

export const passkeysPath = "/account/second-factor/passkeys"

const row = ({ say }: PersonVisit, { createdAt, id, lastUsedAt, name }: Passkey): ReadonlyArray<Html> => [
  name,
  moment(createdAt),
  lastUsedAt === null ? "–" : moment(lastUsedAt),
  el("a", { href: `${passkeysPath}/remove/${id}` }, say("Уклони", "Remove"), el("span", { class: "unseen" }, ` ${name}`))
]

const list = (visit: PersonVisit, passkeys: ReadonlyArray<Passkey>): Html => {
  const { say } = visit
  return table(
    [say("Назив", "Name"), say("Додат", "Added"), say("Последњи пут", "Last used"), ""],
    passkeys.map((it) => row(visit, it)),
    { caption: say("Ваши приступни кључеви", "Your passkeys"), empty: say("Немате ниједан.", "You have none.") }
  )
}

/** One's passkeys, and the way to a new one. */
export const passkeysCard = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { person, say } = visit
  const passkeys = person.hasPasskey ? yield* (yield* SecondFactors).passkeysOf(person.id) : []
  return card(
    say("Приступни кључеви", "Passkeys"),
    el("p", {}, say(
      "Приступни кључ је на вашем телефону, рачунару или безбедносном кључу; потврђујете га прстом, лицем или PIN-ом.",
      "A passkey is on your phone, computer or security key; you confirm it with a finger, your face or a PIN."
    )),
    passkeys.length === 0 ? null : list(visit, passkeys),
    siteOf(visit) === null
      ? el("p", { class: "hint" }, say("На овој адреси портала прегледачи не праве приступне кључеве: адреса је број, а не име.", "At this address of the portal browsers make no passkeys: it is a number and not a name."))
      : el("a", { class: "button", href: `${passkeysPath}/new` }, say("Додај приступни кључ", "Add a passkey"))
  )
})
