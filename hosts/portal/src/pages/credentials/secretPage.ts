import type { IssuedCredential } from "@overa/domain"
import { Redacted } from "effect"
import { el } from "../../html/el.ts"
import { facts, notice } from "../../html/parts.ts"
import { page, type Reply } from "../../http/Reply.ts"
import type { Visit } from "../../http/Visit.ts"

/** A credential's id and its secret, which this page alone ever shows. */
export const secretPage = ({ say }: Visit, { clientId, clientSecret }: IssuedCredential, title: string, back: string): Reply =>
  page(title, [
    el("h1", {}, title),
    notice("wait", el("p", {}, say("Тајна се приказује само сада. Сачувајте је тамо где ваш програм чува лозинке.", "The secret is shown only now. Put it where your program keeps passwords."))),
    facts([
      [say("Клијент", "Client"), el("span", { class: "secret" }, clientId)],
      [say("Тајна", "Secret"), el("span", { class: "secret" }, Redacted.value(clientSecret))]
    ]),
    el("p", {}, el("a", { href: back }, say("Назад", "Back")))
  ])
