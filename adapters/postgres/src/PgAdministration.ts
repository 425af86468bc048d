import { Administration, Identifiers } from "@overa/domain"
import { Effect, Layer, type Redacted } from "effect"
import { accessActs } from "./administration/accessActs.ts"
import { elementActs } from "./administration/elementActs.ts"
import { installationActs } from "./administration/installationActs.ts"
import { recordActs } from "./administration/recordActs.ts"
import { tenancyActs } from "./administration/tenancyActs.ts"
import { PgDatabase } from "./PgDatabase.ts"
import type { Secrets } from "./Secrets.ts"

/** The operator's acts, each one commit with its line in the activity log. */
export const layerAdministration = (
  secrets: Secrets,
  credentialKey: Redacted.Redacted<Uint8Array>
): Layer.Layer<Administration, never, PgDatabase | Identifiers> =>
  Layer.effect(
    Administration,
    Effect.gen(function*() {
      const database = yield* PgDatabase
      const { uuid } = yield* Identifiers
      const tools = { database, secrets, uuid }
      return Administration.of({
        tenancy: tenancyActs(tools),
        elements: elementActs(tools),
        access: accessActs(tools, credentialKey),
        installation: installationActs(tools),
        records: recordActs(tools)
      })
    })
  )
