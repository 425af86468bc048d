import { readFileSync } from "node:fs"
import { accessToken } from "../support/accessToken.ts"
import type { ApiTarget } from "./ApiTarget.ts"

interface Rates {
  readonly labels: ReadonlyArray<{ readonly label: string; readonly categoryType: number }>
}

/** The target in a `sandbox.json`, with a current label of each environment from the V-PFR. */
export const sandboxTarget = async (file: string): Promise<ApiTarget> => {
  const described = JSON.parse(readFileSync(file, "utf8")) as Omit<ApiTarget, "labels">
  const sandbox = await firstLabel(described, described)
  return { ...described, labels: { sandbox, production: await firstLabel(described, described.production) } }
}

const firstLabel = async (
  { authUrl, baseUrl }: Pick<ApiTarget, "authUrl" | "baseUrl">,
  of: ApiTarget["production"]
): Promise<string> => {
  const token = await accessToken({ authUrl }, of)
  const query = new URLSearchParams({ taxpayerId: of.taxpayerId, businessPremiseId: of.businessPremiseId })
  const answer = await fetch(`${baseUrl}/v1/tax-rates?${query}`, { headers: { Authorization: `Bearer ${token}` } })
  const rates = await answer.json() as Rates
  const label = rates.labels.find(({ categoryType }) => categoryType === 0)?.label
  if (label === undefined) throw new Error("The V-PFR publishes no label of a tax on the net amount.")
  return label
}
