import type { CatalogueActs, Identifiers, Invitations, PasswordResets, People, PersonSessions, PortalSessions, RecentDocuments, SecondFactors, SignInAttempts } from "@overa/domain"
import { Effect, Layer, type Redacted } from "effect"
import { layerRecentDocuments } from "./oversight/PgRecentDocuments.ts"
import type { PgDatabase } from "./PgDatabase.ts"
import { layerInvitations } from "./people/PgInvitations.ts"
import { layerPasswordResets } from "./people/PgPasswordResets.ts"
import { layerPeople } from "./people/PgPeople.ts"
import { layerPortalSessions } from "./people/PgPortalSessions.ts"
import { layerSecondFactors } from "./people/PgSecondFactors.ts"
import { layerSignInAttempts } from "./people/PgSignInAttempts.ts"
import { layerCatalogueActs } from "./products/PgCatalogueActs.ts"
import { type EncryptionKeysInvalid, makeSecrets } from "./Secrets.ts"

/** The portal's own data: people, sessions, invitations, and what its list of receipts reads. In the same database as every other port. */
export const layerPortalStore = (
  encryptionKeys: Redacted.Redacted<string>
): Layer.Layer<People | PasswordResets | SecondFactors | PortalSessions | PersonSessions | SignInAttempts | Invitations | RecentDocuments | CatalogueActs, EncryptionKeysInvalid, PgDatabase | Identifiers> =>
  Layer.unwrap(Effect.gen(function*() {
    const secrets = yield* Effect.fromResult(makeSecrets(encryptionKeys))
    return Layer.mergeAll(layerPeople(secrets), layerPasswordResets(secrets), layerSecondFactors(secrets), layerPortalSessions, layerSignInAttempts, layerInvitations(secrets), layerRecentDocuments, layerCatalogueActs)
  }))
