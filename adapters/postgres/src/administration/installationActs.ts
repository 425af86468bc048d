import { ActRefused, type InstallationActs } from "@overa/domain"
import { Effect } from "effect"
import { installationItself, recordActivity, rightNow } from "./activity.ts"
import { resealSecrets } from "./resealSecrets.ts"
import type { ActTools } from "./ActTools.ts"

const changeEnvironment = (tools: ActTools): InstallationActs["Service"]["changeEnvironment"] =>
  Effect.fn("InstallationActs.changeEnvironment")(function*(act, environment, change) {
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        const [before] = yield* tx.query(
          "select traffic_enabled, esir_number, vat_categories, proforma_references from environment_settings where environment = $1 for update",
          [environment]
        )
        yield* tx.query(
          `update environment_settings set traffic_enabled = coalesce($2::boolean, traffic_enabled),
             esir_number = coalesce($3::text, esir_number), vat_categories = coalesce($4::text[], vat_categories),
             proforma_references = coalesce($6::boolean, proforma_references), updated_at = $5
           where environment = $1`,
          [environment, change.trafficEnabled ?? null, change.esirNumber ?? null, change.vatCategories ?? null, yield* rightNow, change.proformaReferences ?? null]
        )
        yield* recordActivity(tx, act, {
          organizationId: installationItself,
          act: "environment changed",
          subject: environment,
          before: before ?? null,
          after: change
        })
      })
    )
  })

const addReferenceKey = (tools: ActTools): InstallationActs["Service"]["addReferenceKey"] =>
  Effect.fn("InstallationActs.addReferenceKey")(function*(act, { environment, kind, name, pem }) {
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        const added = yield* tx.query(
          `insert into reference_keys (environment, kind, name, pem, added_at) values ($1, $2, $3, $4, $5)
           on conflict on constraint reference_keys_pk do nothing returning name`,
          [environment, kind, name, pem, yield* rightNow]
        )
        if (added.length === 0) {
          return yield* new ActRefused({ reason: "REFERENCE_KEY_ALREADY_EXISTS", detail: `${name} is already known in ${environment}.` })
        }
        yield* recordActivity(tx, act, {
          organizationId: installationItself,
          act: kind === "SIGNER" ? "signer key added" : "trust root added",
          subject: `${environment} ${name}`,
          before: null,
          after: { pem }
        })
      })
    )
  })

/** Settings of the whole installation. */
export const installationActs = (tools: ActTools): InstallationActs["Service"] => ({
  changeEnvironment: changeEnvironment(tools),
  addReferenceKey: addReferenceKey(tools),
  resealSecrets: resealSecrets(tools)
})
