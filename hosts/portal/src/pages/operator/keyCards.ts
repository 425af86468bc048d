import { AccessOversight, Credentials, InstallationOversight, JournalLog } from "@overa/domain"
import { Effect } from "effect"
import { all, el } from "../../html/el.ts"
import { badge, card, table } from "../../html/parts.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { moment } from "../../language/formats.ts"
import { PortalSettings } from "../../layers.ts"

/** The keys of the installation: those it trusts, and those with which it signs and encrypts. */
export const keyCards = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { say } = visit
  const installationOversight = yield* InstallationOversight
  const reference = yield* installationOversight.referenceKeys
  const tokenKeys = yield* (yield* Credentials).tokenKeys
  const sealing = yield* installationOversight.sealingKeys
  const digests = yield* (yield* AccessOversight).digestKeys
  const { credentialKeyId } = yield* PortalSettings
  const verifiers = yield* (yield* JournalLog).verifierKeys
  return all(
    card(
      say("Корени и потписници", "Roots and signers"),
      table([say("Окружење", "Environment"), say("Врста", "Kind"), say("Назив", "Name"), say("Од", "Since")], reference.map((it) => [it.environment, it.kind, it.name, moment(it.addedAt)]), { caption: say("Кључеви", "Keys"), empty: "–" }),
      el("div", { class: "actions" }, el("a", { class: "button", href: "/operator/installation/roots/add" }, say("Додај корен", "Add a root")), el("a", { class: "button", href: "/operator/installation/signers/add" }, say("Додај потписника", "Add a signer")))
    ),
    card(
      say("Кључеви за токене", "Token keys"),
      table(["ID", say("Стање", "State")], tokenKeys.map((it, index) => [it.kid, index === 0 ? badge("good", say("Потписује", "Signs")) : el("a", { href: `/operator/installation/token-keys/${it.kid}/revoke` }, say("Заборави", "Forget"))]), { caption: say("Кључеви за токене", "Token keys"), empty: "–" }),
      el("p", {}, el("a", { class: "button", href: "/operator/installation/token-keys/add" }, say("Нови кључ", "New key")))
    ),
    card(
      say("Печаћење тајни", "Encryption of secrets"),
      table([say("Кључ", "Key"), say("Тајни", "Secrets")], sealing.map((it) => [it.keyId, String(it.envelopes)]), { caption: say("Печаћење", "Sealing"), empty: "–" }),
      el("p", {}, el("a", { class: "button", href: "/operator/installation/reseal" }, say("Поново запечати", "Seal again")))
    ),
    card(
      say("Кључ акредитива", "Credential key"),
      table(
        [say("Кључ", "Key"), say("Стање", "State"), say("Акредитива", "Credentials")],
        digests.map((it) => [it.keyId ?? "–", it.keyId === credentialKeyId ? badge("good", say("Садашњи", "In front")) : badge("wait", say("Ранији", "Former")), String(it.credentials)]),
        { caption: say("Кључ акредитива", "Credential key"), empty: "–", numbers: [2] }
      )
    ),
    card(
      say("Дневник рачуна", "Log of the journal"),
      el("p", {}, say("Кључеви за проверу; први потписује.", "Verifier keys; the first one signs.")),
      verifiers.length === 0 ? el("p", {}, "–") : el("ul", { class: "plain" }, verifiers.map((it) => el("li", {}, el("span", { class: "secret" }, it)))),
      el("div", { class: "actions" }, el("a", { class: "button", href: "/operator/journal/verify" }, say("Провери", "Verify")), el("a", { class: "button", href: "/operator/journal/key" }, say("Нови кључ", "New key")))
    )
  )
})
