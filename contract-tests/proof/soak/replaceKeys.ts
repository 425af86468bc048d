import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Disturbance } from "./disturbances.ts"

interface Issued {
  readonly jid: string
  readonly pfxBase64: string
  readonly password: string
  readonly pac: string
}

const because = ["--reason", "replaced while shops sell", "--yes"]

/** The production shop's certificate, the key of the tokens and the key of the log are replaced by the operator. */
export const replaceKeys: Disturbance = {
  name: "certificates and keys are replaced",
  run: async (site) => {
    const place = { environment: "production", businessName: "Књижара Зора", tin: "100000049", locationName: "Веб продавница", address: "Његошева 12", city: "Београд" }
    const answer = await fetch(`${site.far.controlUrl}/elements`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(place) })
    const { jid, pac, password, pfxBase64 } = await answer.json() as Issued
    const file = join(site.folder, `${jid}.pfx`)
    writeFileSync(file, Buffer.from(pfxBase64, "base64"))
    const secrets = { OVERA_PFX_PASSWORD: password, OVERA_PFX_PAC: pac }
    await site.admin(["elements", "replace", site.far.seeded.production.businessPremiseId, "--pfx", file, ...because], secrets)
    await site.admin(["token-keys", "add", ...because.slice(0, 2)])
    await site.admin(["journal", "rotate-key", ...because.slice(0, 2)])
    return "a new element for production's premise, a new token key, a new key of the log"
  }
}
