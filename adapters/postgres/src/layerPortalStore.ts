import { type BookDocuments, type CashierNames, type CatalogueActs, Identifiers, type Invitations, type IssuerAccounts, type MonthMails, type PasswordResets, type People, type PersonDevices, type PersonSessions, type PortalSessions, type RecentDocuments, type RecoveryCodes, type SavedSearches, type SecondFactors, type SentForms, type SignInAttempts } from "@overa/domain"
import { Effect, Layer, type Redacted } from "effect"
import { layerBookDocuments } from "./PgBookDocuments.ts"
import { layerRecentDocuments } from "./oversight/PgRecentDocuments.ts"
import type { PgDatabase } from "./PgDatabase.ts"
import { layerCashierNames } from "./people/PgCashierNames.ts"
import { layerInvitations } from "./people/PgInvitations.ts"
import { layerIssuerAccounts } from "./people/PgIssuerAccounts.ts"
import { layerMonthMails } from "./people/PgMonthMails.ts"
import { layerPasswordResets } from "./people/PgPasswordResets.ts"
import { layerPersonDevices } from "./people/PgPersonDevices.ts"
import { layerPeople } from "./people/PgPeople.ts"
import type { Mails } from "./people/PgPersonMails.ts"
import { layerPortalSessions } from "./people/PgPortalSessions.ts"
import { layerRecoveryCodes } from "./people/PgRecoveryCodes.ts"
import { layerSavedSearches } from "./people/PgSavedSearches.ts"
import { layerSecondFactors } from "./people/PgSecondFactors.ts"
import { layerSentForms } from "./people/PgSentForms.ts"
import { layerSignInAttempts } from "./people/PgSignInAttempts.ts"
import { layerCatalogueActs } from "./products/PgCatalogueActs.ts"
import { type EncryptionKeysInvalid, makeSecrets } from "./Secrets.ts"

/**
 * The portal's own data: people, sessions, invitations, and what its list of receipts reads. In the same database as every other port. `mailConfigured`: whether the workers
 * have a mail server; people are then told of what concerns their accounts' security.
 */
export const layerPortalStore = (
  encryptionKeys: Redacted.Redacted<string>,
  mailConfigured = false
): Layer.Layer<BookDocuments | CashierNames | IssuerAccounts | MonthMails | People | RecoveryCodes | PasswordResets | SavedSearches | SecondFactors | PortalSessions | PersonDevices | PersonSessions | SentForms | SignInAttempts | Invitations | RecentDocuments | CatalogueActs, EncryptionKeysInvalid, PgDatabase | Identifiers> =>
  Layer.unwrap(Effect.gen(function*() {
    const secrets = yield* Effect.fromResult(makeSecrets(encryptionKeys))
    const { uuid } = yield* Identifiers
    const mails: Mails = { secrets, uuid, isConfigured: mailConfigured }
    return Layer.mergeAll(
      layerPeople(mails),
      layerBookDocuments,
      layerCashierNames,
      layerIssuerAccounts(mails),
      layerMonthMails,
      layerPasswordResets(mails),
      layerRecoveryCodes(mails),
      layerSavedSearches,
      layerSecondFactors(mails),
      layerPortalSessions(mails),
      layerPersonDevices,
      layerSentForms,
      layerSignInAttempts(mails),
      layerInvitations(mails),
      layerRecentDocuments,
      layerCatalogueActs
    )
  }))
