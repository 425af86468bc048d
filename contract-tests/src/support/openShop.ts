import type { Element } from "@overa/vpfr-simulator"
import type { OperatorDesk } from "./operatorDesk.ts"

export interface Shop {
  readonly organizationId: string
  readonly taxpayerId: string
  readonly businessPremiseId: string
  readonly clientId: string
  readonly clientSecret: string
}

interface Signer {
  readonly uid: string
  readonly publicKeyPem: string
}

const because = ["--reason", "made for a test", "--json"]

/** The first organization with a sandbox shop, as an operator sets it up. */
export const openShop = async (desk: Pick<OperatorDesk, "admin" | "file"> & { readonly simulator: Pick<OperatorDesk["simulator"], "controlUrl" | "issueElement"> }): Promise<{ readonly shop: Shop; readonly element: Element }> => {
  const run = async (...args: ReadonlyArray<string>) => {
    const answer = await desk.admin([...args, ...because])
    if (answer.code !== 0) throw new Error(answer.err)
    return answer.json as Readonly<Record<string, string>>
  }
  const place = { businessName: "Књижара Зора", tin: "100000049", locationName: "Веб", address: "Његошева 12", city: "Београд" }
  const element = await desk.simulator.issueElement({ environment: "sandbox", ...place })
  await run("token-keys", "add")
  await run("environment", "set", "sandbox", "--esir", "999/0.1")
  const secrets = { OVERA_PFX_PASSWORD: element.password, OVERA_PFX_PAC: element.pac }
  const added = await desk.admin(["pool", "add", "--pfx", desk.file("element.pfx", element.pfx), ...because], { environment: secrets })
  if (added.code !== 0) throw new Error(added.err)
  // With every signer known, each receipt's signature is verified: a wrong result would be on the attention list.
  const { sandbox: signers } = await (await fetch(`${desk.simulator.controlUrl}/signers`)).json() as { readonly sandbox: ReadonlyArray<Signer> }
  for (const { publicKeyPem, uid } of signers) await run("reference", "add-signer", "sandbox", uid, "--pem", desk.file(`${uid}.pem`, publicKeyPem))
  const { id: organizationId = "" } = await run("organizations", "add", "Књижара Зора")
  const options = ["--environment", "sandbox", "--tax-id", place.tin, "--name", place.businessName, "--vat", "IN_VAT", "--pu", "1000001", "--premise", "Веб"]
  const { businessPremiseId = "", id: taxpayerId = "" } = await run("taxpayers", "add", organizationId, ...options)
  const { clientId = "", clientSecret = "" } = await run("credentials", "issue", organizationId, "--environment", "sandbox")
  return { element, shop: { organizationId, taxpayerId, businessPremiseId, clientId, clientSecret } }
}
