import {
  AccessActs,
  CredentialActs,
  DeliveryActs,
  ElementActs,
  ErasureActs,
  Identifiers,
  InstallationActs,
  JournalActs,
  LeavingActs,
  OrganizationActs,
  RecordActs,
  RestoreActs,
  TaxpayerActs
} from "@overa/domain"
import { Context, Effect, Layer, type Redacted } from "effect"
import { accessActs } from "./administration/accessActs.ts"
import { credentialActs } from "./administration/credentialActs.ts"
import { deliveryActs } from "./administration/deliveryActs.ts"
import { elementActs } from "./administration/elementActs.ts"
import { erasureActs } from "./administration/erasureActs.ts"
import { installationActs } from "./administration/installationActs.ts"
import { journalActs } from "./administration/journalActs.ts"
import { leavingActs } from "./administration/leavingActs.ts"
import { organizationActs } from "./administration/organizationActs.ts"
import { recordActs } from "./administration/recordActs.ts"
import { restoreActs } from "./administration/restoreActs.ts"
import { taxpayerActs } from "./administration/taxpayerActs.ts"
import { PgDatabase } from "./PgDatabase.ts"
import type { Secrets } from "./Secrets.ts"

/** Changes of an installation, one port for each topic. */
export type ActPorts = OrganizationActs | TaxpayerActs | ElementActs | AccessActs | CredentialActs | InstallationActs | JournalActs | LeavingActs | DeliveryActs | RecordActs | RestoreActs | ErasureActs

/** The acts on an installation, each one commit with its line in the activity log. */
export const layerAdministration = (
  secrets: Secrets,
  credentialKey: Redacted.Redacted<Uint8Array>,
  mailConfigured = false
): Layer.Layer<ActPorts, never, PgDatabase | Identifiers> =>
  Layer.effectContext(Effect.gen(function*() {
    const database = yield* PgDatabase
    const { uuid } = yield* Identifiers
    const tools = { database, secrets, uuid, isConfigured: mailConfigured }
    return Context.make(OrganizationActs, organizationActs(tools)).pipe(
      Context.add(TaxpayerActs, taxpayerActs(tools)),
      Context.add(ElementActs, elementActs(tools)),
      Context.add(AccessActs, accessActs(tools)),
      Context.add(CredentialActs, credentialActs(tools, credentialKey)),
      Context.add(InstallationActs, installationActs(tools)),
      Context.add(JournalActs, journalActs(tools)),
      Context.add(LeavingActs, leavingActs(tools)),
      Context.add(DeliveryActs, deliveryActs(tools)),
      Context.add(RecordActs, recordActs(tools)),
      Context.add(ErasureActs, erasureActs(tools)),
      Context.add(RestoreActs, restoreActs(tools))
    )
  }))
