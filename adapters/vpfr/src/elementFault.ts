import type { Environment } from "@overa/domain"
import { chainsToRoot } from "./chainsToRoot.ts"
import type { ElementFile } from "./ElementFile.ts"

/** The place where an element is to be used, as far as its file can be compared with it. */
export interface ElementTarget {
  readonly environment: Environment
  readonly taxIdentifier: string
}

/** Why an element's file cannot be used at that place. */
export type ElementFault =
  | { readonly _tag: "Expired"; readonly atMillis: number }
  | { readonly _tag: "NotYetValid"; readonly fromMillis: number }
  | { readonly _tag: "NoRoots" }
  | { readonly _tag: "OtherEnvironment"; readonly environment: Environment }
  | { readonly _tag: "ForeignRoot" }
  | { readonly _tag: "NoTin" }
  | { readonly _tag: "OtherTin"; readonly tin: string }

const chainFault = (
  file: ElementFile,
  environment: Environment,
  roots: Readonly<Record<Environment, string>>,
  now: number
): ElementFault | null => {
  if (roots[environment].trim() === "") return { _tag: "NoRoots" }
  if (chainsToRoot(file.certificateChainPem, roots[environment], now)) return null
  const other: Environment = environment === "sandbox" ? "production" : "sandbox"
  return chainsToRoot(file.certificateChainPem, roots[other], now) ? { _tag: "OtherEnvironment", environment: other } : { _tag: "ForeignRoot" }
}

/** In production the certificate names the taxpayer; in the sandbox it may name a stand-in (Spec, Authentication 9). */
const tinFault = ({ facts: { tin } }: ElementFile, { environment, taxIdentifier }: ElementTarget): ElementFault | null => {
  if (environment === "sandbox" || tin === taxIdentifier) return null
  return tin === null ? { _tag: "NoTin" } : { _tag: "OtherTin", tin }
}

/**
 * Compares an element's file with its place: dates, chain, environment, tax identifier; null when it fits. Whatever the file claims, only the given
 * roots (PEM) decide its origin (Decisions §4, Trust).
 */
export const elementFault = (
  file: ElementFile,
  target: ElementTarget,
  roots: Readonly<Record<Environment, string>>,
  now: number
): ElementFault | null => {
  if (file.facts.validTo <= now) return { _tag: "Expired", atMillis: file.facts.validTo }
  if (file.facts.validFrom > now) return { _tag: "NotYetValid", fromMillis: file.facts.validFrom }
  return chainFault(file, target.environment, roots, now) ?? tinFault(file, target)
}
