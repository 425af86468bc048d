import { DateTime, Result } from "effect"
import type { EndingLabel } from "../catalogue/endingLabels.ts"
import { type License, licenseInForce } from "../licensing/licenseGate.ts"
import type { Environment, EnvironmentSettings } from "../tenancy/Environment.ts"
import { daysUntil, type SecurityElement } from "../tenancy/SecurityElement.ts"
import type { BusinessPremise } from "../tenancy/Taxpayer.ts"
import { green, notTried, notUsed, red, type RehearsalStep } from "./RehearsalStep.ts"

/** A certificate with fewer days left is replaced before the shop goes live. */
const fewestDays = 30

/** What must be true of the installation before anything can be issued. */
export const installationStep = (
  settings: Pick<EnvironmentSettings, "adapterConfigured" | "restoring" | "trafficEnabled" | "esirNumber">,
  environment: Environment
): RehearsalStep => {
  const fault = (found: string, what: string) => red("installation", found, "the operator", what)
  if (!settings.adapterConfigured) return fault(`No V-PFR is configured for ${environment}.`, `sets OVERA_VPFR_${environment.toUpperCase()}_URL on every host`)
  if (settings.restoring) return fault("A restore is declared, and nothing is issued meanwhile.", "ends it: restore end")
  if (!settings.trafficEnabled) return fault(`Fiscal traffic of ${environment} is off.`, `switches it on: environment traffic ${environment} on`)
  if (environment === "production" && settings.esirNumber === "") {
    return fault("There is no ESIR number, and the law requires it on every receipt.", "sets it as the tax authority assigned it: environment set production --esir <IB/version>")
  }
  return green("installation", settings.esirNumber === "" ? "Traffic is on; the sandbox needs no ESIR number." : `Traffic is on; receipts carry ESIR number ${settings.esirNumber}.`)
}

export const premiseStep = ({ commerceMode, name, status }: Pick<BusinessPremise, "commerceMode" | "name" | "status">): RehearsalStep => {
  if (commerceMode !== "distance") return red("premise", `${name} is not registered for distance commerce.`, "the owner", "registers a premise for distance commerce, and has the operator change this one")
  if (status !== "active") return red("premise", `${name} is ${status}.`, "the operator", "makes it active: premises change <premise> --status active")
  return green("premise", `${name} is active, for distance commerce.`)
}

export const certificateStep = (element: SecurityElement | null, uploaded: SecurityElement | null, now: DateTime.Utc): RehearsalStep => {
  if (element === null) {
    return uploaded === null
      ? red("certificate", "The premise has no security element.", "the owner", "fetches one from the tax authority's portal and uploads it")
      : red("certificate", `The element ${uploaded.jid} is uploaded and not active.`, "the operator", `activates it: elements activate ${uploaded.id}`)
  }
  const days = daysUntil(element.validTo, now)
  const until = DateTime.formatIso(element.validTo).slice(0, 10)
  const renew = "orders a new one from the tax authority's portal and uploads it"
  if (DateTime.isLessThanOrEqualTo(element.validTo, now)) return red("certificate", `The certificate of ${element.jid} expired on ${until}.`, "the owner", renew)
  if (DateTime.isGreaterThan(element.validFrom, now)) {
    return red("certificate", `The certificate of ${element.jid} is valid only from ${DateTime.formatIso(element.validFrom).slice(0, 10)}.`, "the owner", "waits until then, or asks the tax authority for one that is valid now")
  }
  if (days < fewestDays) return red("certificate", `The certificate of ${element.jid} ends on ${until}, in ${days} days.`, "the owner", renew)
  return green("certificate", `${element.jid} is active until ${until}, ${days} days.`)
}

/** What the element's opened certificate says of its origin. */
export type ChainFound =
  | { readonly _tag: "Opened"; readonly chainTrusted: boolean; readonly tin: string }
  | { readonly _tag: "NotOpened"; readonly detail: string }
  | { readonly _tag: "NoElement" }

export const chainStep = (found: ChainFound, environment: Environment, taxIdentifier: string): RehearsalStep => {
  if (found._tag === "NoElement") return notTried("chain", "There is no active certificate.")
  if (found._tag === "NotOpened") {
    return red("chain", `The element cannot be opened: ${found.detail}.`, "the operator", "checks OVERA_SECRET_KEYS of this process; if the key is lost, the owner uploads a new element")
  }
  if (!found.chainTrusted) {
    return red("chain", `The certificate leads to no root that is trusted for ${environment}.`, "the operator", "adds the tax authority's root (reference add-root), or has the owner upload an element of this environment")
  }
  // In the sandbox the certificate may name a stand-in (Spec, Authentication 9).
  if (environment === "production" && found.tin !== taxIdentifier) {
    return red("chain", `The certificate is issued to ${found.tin}, and the taxpayer is ${taxIdentifier}.`, "the owner", "uploads the element of this taxpayer")
  }
  return green("chain", `It leads to a trusted root and names ${found.tin}.`)
}

/** The labels of the catalogue compared with the rates that the V-PFR publishes; null: it published none. */
export const ratesStep = (found: { readonly groupId: number; readonly products: number; readonly ending: ReadonlyArray<EndingLabel> } | null): RehearsalStep => {
  if (found === null) return notTried("rates", "The V-PFR gave no current rates.")
  const { ending, groupId, products } = found
  if (ending.length > 0) {
    const each = ending.map(({ endsAt, label, skus }) =>
      `${label} ${endsAt === null ? "is no current label" : `ends on ${DateTime.formatIso(endsAt)}`} (${skus.length} ${skus.length === 1 ? "product" : "products"}, ${skus[0]} first)`)
    return red("rates", `${each.join("; ")}.`, "the owner", "gives these products a current label")
  }
  return green("rates", products === 0 ? `Group ${groupId} is current; the catalogue is empty.` : `Every label of ${products} products is in group ${groupId}.`)
}

export const licenceStep = (license: License | null, environment: Environment, now: DateTime.Utc): RehearsalStep => {
  if (environment === "sandbox") return notUsed("licence", "The sandbox needs no licence.")
  const inForce = licenseInForce(license, now)
  if (Result.isFailure(inForce)) {
    const who = inForce.failure.code === "LICENSE_EXPIRED" ? "renews it" : inForce.failure.code === "LICENSE_SUSPENDED" ? "lifts the suspension" : "grants one that has begun"
    return red("licence", `${inForce.failure.code}: no production sale is accepted.`, "the operator", `${who}: licences --help`)
  }
  const { expiresAt, modules } = inForce.success
  const until = expiresAt === null ? "without an end" : `until ${DateTime.formatIso(expiresAt).slice(0, 10)}`
  return green("licence", `In force ${until}${modules.length === 0 ? "" : `, with ${modules.join(" and ")}`}.`)
}

export const credentialStep = (usable: number, environment: Environment): RehearsalStep =>
  usable === 0
    ? red("credential", `The organization has no credential of ${environment}.`, "the operator", `issues one: credentials issue <organization> --environment ${environment}`)
    : green("credential", `${usable} ${usable === 1 ? "credential" : "credentials"} of ${environment} can ask for tokens.`)
