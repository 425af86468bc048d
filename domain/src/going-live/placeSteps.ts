import { DateTime, Result } from "effect"
import type { EndingLabel } from "../catalogue/endingLabels.ts"
import { type License, licenseInForce } from "../licensing/licenseGate.ts"
import type { Environment, EnvironmentSettings } from "../tenancy/Environment.ts"
import { daysUntil, type SecurityElement } from "../tenancy/SecurityElement.ts"
import type { BusinessPremise } from "../tenancy/Taxpayer.ts"
import { green, type InBoth, notTried, notUsed, red, type RehearsalStep } from "./RehearsalStep.ts"

/** A certificate with fewer days left is replaced before the shop goes live. */
const fewestDays = 30

const srOf = (environment: Environment): string => environment === "production" ? "продукцију" : "тестно окружење"

/** What must be true of the installation before anything can be issued. */
export const installationStep = (
  settings: Pick<EnvironmentSettings, "adapterConfigured" | "restoring" | "trafficEnabled" | "esirNumber">,
  environment: Environment
): RehearsalStep => {
  const fault = (found: InBoth, what: InBoth) => red("installation", found, "the operator", what)
  if (!settings.adapterConfigured) return fault(
    [`За ${srOf(environment)} није подешен В-ПФР.`, `No V-PFR is configured for ${environment}.`],
    [`поставља OVERA_VPFR_${environment.toUpperCase()}_URL на сваком домаћину`, `sets OVERA_VPFR_${environment.toUpperCase()}_URL on every host`]
  )
  if (settings.restoring) return fault(
    ["Објављено је враћање базе и за то време се ништа не издаје.", "A restore is declared, and nothing is issued meanwhile."],
    ["завршава враћање: restore end", "ends it: restore end"]
  )
  if (!settings.trafficEnabled) return fault(
    [`Фискални саобраћај за ${srOf(environment)} је искључен.`, `Fiscal traffic of ${environment} is off.`],
    [`укључује га: environment traffic ${environment} on`, `switches it on: environment traffic ${environment} on`]
  )
  if (environment === "production" && settings.esirNumber === "") {
    return fault(
      ["Нема ЕСИР броја, а закон га тражи на сваком рачуну.", "There is no ESIR number, and the law requires it on every receipt."],
      ["уноси број који је доделила Пореска управа: environment set production --esir <IB/version>", "sets it as the tax authority assigned it: environment set production --esir <IB/version>"]
    )
  }
  return green("installation", settings.esirNumber === ""
    ? ["Саобраћај је укључен; тестно окружење не тражи ЕСИР број.", "Traffic is on; the sandbox needs no ESIR number."]
    : [`Саобраћај је укључен; рачуни носе ЕСИР број ${settings.esirNumber}.`, `Traffic is on; receipts carry ESIR number ${settings.esirNumber}.`])
}

export const premiseStep = ({ commerceMode, name, status }: Pick<BusinessPremise, "commerceMode" | "name" | "status">): RehearsalStep => {
  if (commerceMode !== "distance") return red(
    "premise", [`${name} није пријављен за продају на даљину.`, `${name} is not registered for distance commerce.`], "the owner",
    ["пријављује простор за продају на даљину и тражи од оператера да овај измени", "registers a premise for distance commerce, and has the operator change this one"]
  )
  if (status !== "active") return red(
    "premise", [`${name} је ${status === "closed" ? "затворен" : "обустављен"}.`, `${name} is ${status}.`], "the operator",
    ["поново га активира: premises change <premise> --status active", "makes it active: premises change <premise> --status active"]
  )
  return green("premise", [`${name} је активан, за продају на даљину.`, `${name} is active, for distance commerce.`])
}

export const certificateStep = (element: SecurityElement | null, uploaded: SecurityElement | null, now: DateTime.Utc): RehearsalStep => {
  if (element === null) {
    return uploaded === null
      ? red("certificate", ["Пословни простор нема безбедносни елемент.", "The premise has no security element."], "the owner", ["преузима га са портала Пореске управе и учитава", "fetches one from the tax authority's portal and uploads it"])
      : red("certificate", [`Елемент ${uploaded.jid} је учитан, а није активан.`, `The element ${uploaded.jid} is uploaded and not active.`], "the operator", [`активира га: elements activate ${uploaded.id}`, `activates it: elements activate ${uploaded.id}`])
  }
  const days = daysUntil(element.validTo, now)
  const until = DateTime.formatIso(element.validTo).slice(0, 10)
  const renew: InBoth = ["наручује нови на порталу Пореске управе и учитава га", "orders a new one from the tax authority's portal and uploads it"]
  if (DateTime.isLessThanOrEqualTo(element.validTo, now)) return red("certificate", [`Сертификат ${element.jid} је истекао ${until}.`, `The certificate of ${element.jid} expired on ${until}.`], "the owner", renew)
  if (DateTime.isGreaterThan(element.validFrom, now)) {
    const from = DateTime.formatIso(element.validFrom).slice(0, 10)
    return red(
      "certificate", [`Сертификат ${element.jid} важи тек од ${from}.`, `The certificate of ${element.jid} is valid only from ${from}.`], "the owner",
      ["чека до тада, или од Пореске управе тражи онај који већ важи", "waits until then, or asks the tax authority for one that is valid now"]
    )
  }
  if (days < fewestDays) return red("certificate", [`Сертификат ${element.jid} истиче ${until}; дана до тада: ${days}.`, `The certificate of ${element.jid} ends on ${until}, in ${days} days.`], "the owner", renew)
  return green("certificate", [`${element.jid} је активан до ${until}; преостало дана: ${days}.`, `${element.jid} is active until ${until}, ${days} days.`])
}

/** What the element's opened certificate says of its origin. */
export type ChainFound =
  | { readonly _tag: "Opened"; readonly chainTrusted: boolean; readonly tin: string }
  | { readonly _tag: "NotOpened"; readonly detail: string }
  | { readonly _tag: "NoElement" }

export const chainStep = (found: ChainFound, environment: Environment, taxIdentifier: string): RehearsalStep => {
  if (found._tag === "NoElement") return notTried("chain", ["Нема активног сертификата.", "There is no active certificate."])
  if (found._tag === "NotOpened") {
    return red(
      "chain", [`Елемент не може да се отвори: ${found.detail}.`, `The element cannot be opened: ${found.detail}.`], "the operator",
      ["проверава OVERA_SECRET_KEYS овог процеса; ако је кључ изгубљен, власник учитава нови елемент", "checks OVERA_SECRET_KEYS of this process; if the key is lost, the owner uploads a new element"]
    )
  }
  if (!found.chainTrusted) {
    return red(
      "chain", [`Сертификат не води до корена коме се верује за ${srOf(environment)}.`, `The certificate leads to no root that is trusted for ${environment}.`], "the operator",
      ["додаје корен Пореске управе (reference add-root), или тражи од власника елемент овог окружења", "adds the tax authority's root (reference add-root), or has the owner upload an element of this environment"]
    )
  }
  // In the sandbox the certificate may name a stand-in (Spec, Authentication 9).
  if (environment === "production" && found.tin !== taxIdentifier) {
    return red(
      "chain", [`Сертификат је издат на ${found.tin}, а обвезник је ${taxIdentifier}.`, `The certificate is issued to ${found.tin}, and the taxpayer is ${taxIdentifier}.`], "the owner",
      ["учитава елемент овог обвезника", "uploads the element of this taxpayer"]
    )
  }
  return green("chain", [`Води до поузданог корена; издат је на ${found.tin}.`, `It leads to a trusted root and names ${found.tin}.`])
}

const endingWords = ({ endsAt, label, skus }: EndingLabel): InBoth => [
  `${label} ${endsAt === null ? "није важећа ознака" : `престаје ${DateTime.formatIso(endsAt)}`} (артикала: ${skus.length}, први ${skus[0]})`,
  `${label} ${endsAt === null ? "is no current label" : `ends on ${DateTime.formatIso(endsAt)}`} (${skus.length} ${skus.length === 1 ? "product" : "products"}, ${skus[0]} first)`
]

/** The labels of the catalogue compared with the rates that the V-PFR publishes; null: it published none. */
export const ratesStep = (found: { readonly groupId: number; readonly products: number; readonly ending: ReadonlyArray<EndingLabel> } | null): RehearsalStep => {
  if (found === null) return notTried("rates", ["В-ПФР није дао важеће стопе.", "The V-PFR gave no current rates."])
  const { ending, groupId, products } = found
  if (ending.length > 0) {
    const each = ending.map(endingWords)
    const found: InBoth = [`${each.map(([serbian]) => serbian).join("; ")}.`, `${each.map(([, english]) => english).join("; ")}.`]
    return red("rates", found, "the owner", ["даје тим артиклима ознаку која важи", "gives these products a current label"])
  }
  return green("rates", products === 0
    ? [`Важи група ${groupId}; каталог је празан.`, `Group ${groupId} is current; the catalogue is empty.`]
    : [`Све ознаке из каталога су у групи ${groupId}; артикала: ${products}.`, `Every label of ${products} products is in group ${groupId}.`])
}

export const licenceStep = (license: License | null, environment: Environment, now: DateTime.Utc): RehearsalStep => {
  if (environment === "sandbox") return notUsed("licence", ["Тестно окружење не тражи лиценцу.", "The sandbox needs no licence."])
  const inForce = licenseInForce(license, now)
  if (Result.isFailure(inForce)) {
    const { code } = inForce.failure
    return red(
      "licence", [`Лиценца не важи (${code}): ниједна продаја у продукцији се не прима.`, `${code}: no production sale is accepted.`], "the operator",
      code === "LICENSE_EXPIRED"
        ? ["обнавља лиценцу: licences --help", "renews it: licences --help"]
        : code === "LICENSE_SUSPENDED"
        ? ["укида обуставу: licences --help", "lifts the suspension: licences --help"]
        : ["даје лиценцу која је почела да важи: licences --help", "grants one that has begun: licences --help"]
    )
  }
  const { expiresAt, modules } = inForce.success
  const until = expiresAt === null ? null : DateTime.formatIso(expiresAt).slice(0, 10)
  return green("licence", [
    `Важи ${until === null ? "без краја" : `до ${until}`}${modules.length === 0 ? "" : `, са модулима: ${modules.join(", ")}`}.`,
    `In force ${until === null ? "without an end" : `until ${until}`}${modules.length === 0 ? "" : `, with ${modules.join(" and ")}`}.`
  ])
}

export const credentialStep = (usable: number, environment: Environment): RehearsalStep =>
  usable === 0
    ? red(
      "credential", [`Организација нема акредитив за ${srOf(environment)}.`, `The organization has no credential of ${environment}.`], "the operator",
      [`издаје га: credentials issue <organization> --environment ${environment}`, `issues one: credentials issue <organization> --environment ${environment}`]
    )
    : green("credential", [
      `Акредитива који могу да траже токене за ${srOf(environment)}: ${usable}.`,
      `${usable} ${usable === 1 ? "credential" : "credentials"} of ${environment} can ask for tokens.`
    ])
