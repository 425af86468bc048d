import type { SignedAnswer } from "../documents/PfrResult.ts"

/**
 * Other installations of the tax authority's software that are known: their answers have the same members, layout of the link and signature, and are no
 * receipts of Serbia. Source: V-PFR §1.3, published answers.
 */
const otherInstallations: ReadonlyArray<readonly [domain: string, name: string]> = [
  ["poreskaupravars.org", "Republika Srpska"],
  ["frcs.org.fj", "Fiji"],
  ["taxcore.online", "TaxCore, for demonstration"]
]

/** A taxpayer of Serbia has nine digits; in the sandbox `RS` stands before them (V-PFR §7.4). */
const serbianTin = /^(?:RS)?\d{9}$/

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "")

/**
 * Why a signed answer is another tax authority's; empty where nothing in it says so. Only what an answer says of itself counts: an unknown host is
 * no such sign, because the authority may move (Decisions §4).
 */
export const otherAuthorityReasons = ({ pfr, tin }: Pick<SignedAnswer, "pfr" | "tin">): ReadonlyArray<string> => {
  const host = hostOf(pfr.verificationUrl)
  const installation = otherInstallations.find(([domain]) => host === domain || host.endsWith(`.${domain}`))
  return [
    ...(installation === undefined ? [] : [`its link leads to ${host}, the tax authority of ${installation[1]}`]),
    ...(tin === null || serbianTin.test(tin) ? [] : [`its tin ${tin} is not of Serbia, which has nine digits`])
  ]
}
