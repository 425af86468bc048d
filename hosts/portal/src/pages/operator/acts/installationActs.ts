import { createPublicKey, randomBytes, X509Certificate } from "node:crypto"
import { newTokenKey } from "@overa/adapter-identity"
import { AccessActs, Environment, ErasureActs, Installation, InstallationActs, isJid, People, readEmail, SecondFactors, SignInChecks } from "@overa/domain"
import { Effect, Option, Redacted } from "effect"
import { el } from "../../../html/el.ts"
import { facts, notice } from "../../../html/parts.ts"
import { page } from "../../../http/Reply.ts"
import type { PersonVisit } from "../../../http/Visit.ts"
import { NotFound } from "../../../http/visitOf.ts"
import { environmentPair } from "../../../language/environmentWords.ts"
import { oneOf, optional, required } from "../actInput.ts"
import { type ActField, ActInvalid, type OperatorAct } from "../OperatorAct.ts"

const environmentOf = (visit: PersonVisit) => {
  const found = Environment.literals.find((it) => it === visit.params["environment"])
  return found === undefined ? new NotFound({}) : Effect.succeed(found)
}

const changeEnvironment: OperatorAct = {
  path: "/operator/environments/:environment",
  title: ["Измени окружење", "Change the environment"],
  warning: ["Са искљученим саобраћајем нико не издаје рачуне у овом окружењу; започето се довршава.", "With traffic off nobody issues documents in this environment; requests in flight are finished."],
  fields: Effect.fnUntraced(function*(visit) {
    const settings = yield* (yield* Installation).settings(yield* environmentOf(visit))
    return [
      { kind: "choice", name: "traffic", words: ["Саобраћај", "Traffic"], options: [["on", ["укључен", "on"]], ["off", ["искључен", "off"]]], value: settings.trafficEnabled ? "on" : "off" },
      { kind: "text", name: "esir", words: ["ЕСИР број (празно: не мења се)", "ESIR number (empty: unchanged)"], more: { value: settings.esirNumber } },
      { kind: "text", name: "vat", words: ["Категорије ПДВ-а, по једна у реду", "VAT categories, one to a line"], more: { rows: 4, value: [...settings.vatCategories].join("\n") } }
    ] satisfies ReadonlyArray<ActField>
  }),
  run: Effect.fnUntraced(function*(visit, act) {
    const environment = yield* environmentOf(visit)
    const trafficEnabled = (yield* oneOf(visit, "traffic", ["on", "off"])) === "on"
    const esirNumber = optional(visit, "esir")
    if (esirNumber !== null && !/^[\x21-\x7e]{1,50}$/.test(esirNumber)) return yield* new ActInvalid({ field: "esir", sentence: visit.say("1 до 50 видљивих знакова, нпр. 1234/1.0.", "1 to 50 visible characters, 1234/1.0 for example.") })
    const vatCategories = (visit.form?.exact("vat") ?? "").split("\n").map((it) => it.trim()).filter((it) => it !== "")
    const change = { trafficEnabled, ...(esirNumber === null ? {} : { esirNumber }), ...(vatCategories.length === 0 ? {} : { vatCategories }) }
    yield* (yield* InstallationActs).changeEnvironment(act, environment, change)
    return "/operator/installation?done=saved"
  })
}

const addRoot: OperatorAct = {
  path: "/operator/installation/roots/add",
  title: ["Додај корени сертификат", "Add a trust root"],
  warning: ["Не може се повући.", "It can never be taken back."],
  fields: () =>
    Effect.succeed([
      { kind: "choice", name: "environment", words: ["Окружење", "Environment"], options: Environment.literals.map((it) => [it, environmentPair(it)] as const) },
      { kind: "text", name: "pem", words: ["Сертификат (PEM)", "Certificate (PEM)"], more: { rows: 8, required: true } }
    ]),
  run: Effect.fnUntraced(function*(visit, act) {
    const environment = yield* oneOf(visit, "environment", Environment.literals)
    const certificate = yield* Effect.try({
      try: () => new X509Certificate(visit.form?.exact("pem") ?? ""),
      catch: () => new ActInvalid({ field: "pem", sentence: visit.say("Ово није сертификат у PEM облику.", "This is no PEM certificate.") })
    })
    if (!certificate.ca || !certificate.checkIssued(certificate)) return yield* new ActInvalid({ field: "pem", sentence: visit.say("Ово није корени сертификат.", "This is no root certificate.") })
    const name = certificate.fingerprint256.replaceAll(":", "")
    yield* (yield* InstallationActs).addReferenceKey(act, { environment, kind: "TRUST_ROOT", name, pem: certificate.toString() })
    return "/operator/installation?done=saved"
  })
}

const addSigner: OperatorAct = {
  path: "/operator/installation/signers/add",
  title: ["Додај кључ потписника", "Add a signer's key"],
  warning: ["Не може се повући.", "It can never be taken back."],
  fields: () =>
    Effect.succeed([
      { kind: "choice", name: "environment", words: ["Окружење", "Environment"], options: Environment.literals.map((it) => [it, environmentPair(it)] as const) },
      { kind: "text", name: "jid", words: ["JID потписника", "The signer's JID"], more: { required: true } },
      { kind: "text", name: "pem", words: ["Сертификат или јавни кључ (PEM)", "Certificate or public key (PEM)"], more: { rows: 8, required: true } }
    ]),
  run: Effect.fnUntraced(function*(visit, act) {
    const environment = yield* oneOf(visit, "environment", Environment.literals)
    const jid = visit.form?.text("jid") ?? ""
    if (!isJid(jid)) return yield* new ActInvalid({ field: "jid", sentence: visit.say("JID има осам слова и цифара, великих или малих како су одштампана.", "A JID has eight letters and digits, in capitals or not as it is printed.") })
    const key = yield* Effect.try({
      try: () => createPublicKey(visit.form?.exact("pem") ?? ""),
      catch: () => new ActInvalid({ field: "pem", sentence: visit.say("Ово није кључ у PEM облику.", "This is no PEM key.") })
    })
    if (key.asymmetricKeyType !== "rsa") return yield* new ActInvalid({ field: "pem", sentence: visit.say("Потребан је кључ врсте RSA.", "An RSA key is needed.") })
    const pem = key.export({ type: "spki", format: "pem" }).toString()
    yield* (yield* InstallationActs).addReferenceKey(act, { environment, kind: "SIGNER", name: jid, pem })
    return "/operator/installation?done=saved"
  })
}

const addTokenKey: OperatorAct = {
  path: "/operator/installation/token-keys/add",
  title: ["Нови кључ за токене", "New token key"],
  fields: () => Effect.succeed([]),
  run: Effect.fnUntraced(function*(_visit, act) {
    yield* (yield* AccessActs).addTokenKey(act, yield* newTokenKey)
    return "/operator/installation?done=saved"
  })
}

const revokeTokenKey: OperatorAct = {
  path: "/operator/installation/token-keys/:kid/revoke",
  title: ["Заборави кључ за токене", "Remove a token key"],
  warning: ["Токени потписани њиме престају да важе за неколико секунди.", "Tokens signed with it end within seconds."],
  fields: () => Effect.succeed([]),
  run: Effect.fnUntraced(function*(visit, act) {
    yield* (yield* AccessActs).revokeTokenKey(act, visit.params["kid"] ?? "")
    return "/operator/installation?done=saved"
  })
}

const resealSecrets: OperatorAct = {
  path: "/operator/installation/reseal",
  title: ["Поново запечати тајне", "Encrypt secrets again"],
  fields: () => Effect.succeed([]),
  run: Effect.fnUntraced(function*(_visit, act) {
    yield* (yield* InstallationActs).resealSecrets(act)
    return "/operator/installation?done=saved"
  })
}

const onceShown = (visit: PersonVisit, email: string, password: string) => {
  const title = visit.say("Лозинка", "Password")
  return page(title, [
    el("h1", {}, title),
    notice("wait", el("p", {}, visit.say("Приказује се само сада; особа је мења при првој пријави.", "Shown only now; to be changed at the first sign-in."))),
    facts([[visit.say("Е-пошта", "E-mail"), email], [title, el("span", { class: "secret" }, password)]])
  ])
}

/** 96 random bits: whatever they look like, nobody guesses them. */
const freshPassword = Effect.gen(function*() {
  const password = randomBytes(12).toString("base64url")
  return { password, passwordHash: yield* (yield* SignInChecks).hashPassword(Redacted.make(password)) }
})

const addPerson: OperatorAct = {
  path: "/operator/people/add",
  title: ["Додај особу", "Add a person"],
  fields: (visit) =>
    Effect.succeed([
      { kind: "text", name: "email", words: ["Е-пошта", "E-mail"], more: { type: "email", required: true, autocomplete: "off" } },
      { kind: "text", name: "name", words: ["Име и презиме", "Name"], more: { required: true, autocomplete: "off" } },
      { kind: "choice", name: "operator", words: ["Ко је то", "Who it is"], options: [["no", visit.say("члан организације", "a member of an organization")], ["yes", visit.say("оператер инсталације", "an operator of the installation")]] }
    ]),
  run: Effect.fnUntraced(function*(visit, act) {
    const email = readEmail(yield* required(visit, "email", 254))
    if (email === null) return yield* new ActInvalid({ field: "email", sentence: visit.say("Ово није адреса.", "This is no address.") })
    const { password, passwordHash } = yield* freshPassword
    yield* (yield* People).add(act, { email, name: yield* required(visit, "name", 100), operator: visit.form?.text("operator") === "yes", passwordHash, passwordGiven: true })
    return onceShown(visit, email, password)
  })
}

const knownPerson = Effect.fnUntraced(function*(visit: PersonVisit) {
  const found = Option.getOrNull(yield* (yield* People).findByEmail(readEmail(visit.form?.text("email") ?? "") ?? ""))
  return found === null ? yield* new ActInvalid({ field: "email", sentence: visit.say("Нема такве особе.", "There is no such person.") }) : found.person
})

const emailField: ReadonlyArray<ActField> = [{ kind: "text", name: "email", words: ["Е-пошта", "E-mail"], more: { type: "email", required: true, autocomplete: "off" } }]

const resetPassword: OperatorAct = {
  path: "/operator/people/password",
  title: ["Нова лозинка за особу", "New password for a person"],
  warning: ["Све пријаве те особе престају.", "All the person's sessions end."],
  fields: () => Effect.succeed(emailField),
  run: Effect.fnUntraced(function*(visit, act) {
    const person = yield* knownPerson(visit)
    const { password, passwordHash } = yield* freshPassword
    const people = yield* People
    // The operator hands the password to the person: from here on the account is that person's.
    yield* person.addressProven ? people.changePassword(act, person.id, passwordHash, null, true) : people.proveAddress(act, person.id, passwordHash, true)
    return onceShown(visit, person.email, password)
  })
}

const resetSecondFactor: OperatorAct = {
  path: "/operator/people/second-factor",
  title: ["Уклони изгубљени други фактор", "Remove a lost second factor"],
  warning: ["Уклањају се и апликација и сви приступни кључеви. Све пријаве те особе престају; до новог фактора довољна је лозинка.", "The authenticator app and all passkeys are removed. All the person's sessions end; until a new factor is set the password is enough."],
  fields: () => Effect.succeed(emailField),
  run: Effect.fnUntraced(function*(visit, act) {
    const person = yield* knownPerson(visit)
    yield* (yield* SecondFactors).removeAll(act, person.id)
    return "/operator/installation?done=saved"
  })
}

const erasePerson: OperatorAct = {
  path: "/operator/people/erase",
  title: ["Обриши особу", "Erase a person"],
  warning: [
    "Адреса, име, лозинка, други фактор, пријаве и позиви бришу се и не могу се вратити. Особа пре тога не сме имати улогу. Дневник задржава адресу тамо где је особа нешто учинила.",
    "Address, name, password, second factor, sessions and invitations are erased and cannot be brought back. The person must have no role any more. The activity log keeps the address where the person acted."
  ],
  fields: () => Effect.succeed(emailField),
  run: Effect.fnUntraced(function*(visit, act) {
    const person = yield* knownPerson(visit)
    yield* (yield* ErasureActs).erasePerson(act, person.email)
    return "/operator/installation?done=saved"
  })
}

/** Environments, keys, people of the installation. */
export const installationActs: ReadonlyArray<OperatorAct> = [
  changeEnvironment,
  addRoot,
  addSigner,
  addTokenKey,
  revokeTokenKey,
  resealSecrets,
  addPerson,
  resetPassword,
  resetSecondFactor,
  erasePerson
]
