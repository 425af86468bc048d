import { tenancy } from "./0001_tenancy.ts"
import { securityElements } from "./0002_security_elements.ts"
import { access } from "./0003_access.ts"
import { installation } from "./0004_installation.ts"
import { operations } from "./0005_operations.ts"
import { payloadStorage } from "./0006_payload_storage.ts"
import { pfrTimeIndex } from "./0007_pfr_time_index.ts"
import { operationsUpkeep } from "./0008_operations_upkeep.ts"
import { refunds } from "./0009_refunds.ts"
import { operatorsRecords } from "./0010_operators_records.ts"
import { oneIndexForEachKey } from "./0011_one_index_for_each_key.ts"
import { rejectedCopies } from "./0012_rejected_copies.ts"
import { people } from "./0013_people.ts"
import { products } from "./0014_products.ts"
import { credentialKeys } from "./0026_credential_keys.ts"
import { foldedOperations } from "./0015_folded_operations.ts"
import { foldedOperationsOnline } from "./0016_folded_operations_online.ts"
import { receiptDeliveries } from "./0017_receipt_deliveries.ts"
import { workflows } from "./0018_workflows.ts"
import { oneInFlight } from "./0019_one_in_flight.ts"
import { journal } from "./0020_journal.ts"
import { journalOnline } from "./0021_journal_online.ts"
import { heldKeys } from "./0022_held_keys.ts"
import { heldKeysOnline } from "./0023_held_keys_online.ts"
import { journalLog } from "./0024_journal_log.ts"
import { journalLogOnline } from "./0025_journal_log_online.ts"
import { counters } from "./0027_counters.ts"
import { restore } from "./0028_restore.ts"
import { refundsOfOriginalsOnline } from "./0029_refunds_of_originals_online.ts"
import { wholeKeysOfWorkflows } from "./0030_whole_keys_of_workflows.ts"
import { credentialUse } from "./0031_credential_use.ts"
import { answersStay } from "./0032_answers_stay.ts"
import { billing } from "./0033_billing.ts"
import { sealingPositions } from "./0034_sealing_positions.ts"
import { sealingPositionsOnline } from "./0035_sealing_positions_online.ts"
import { passkeys } from "./0036_passkeys.ts"
import { erasure } from "./0037_erasure.ts"
import { reportsOnline } from "./0038_reports_online.ts"
import { turnoverDays } from "./0039_turnover_days.ts"
import { turnoverDaysOnline } from "./0040_turnover_days_online.ts"
import { takenBack } from "./0041_taken_back.ts"
import { derivedRequestIds } from "./0042_derived_request_ids.ts"
import { closingsOnline } from "./0044_closings_online.ts"
import { documentsInDoubt } from "./0045_documents_in_doubt.ts"
import { documentsInDoubtOnline } from "./0046_documents_in_doubt_online.ts"
import { attentionAboutPeople } from "./0047_attention_about_people.ts"
import { attentionAboutPeopleOnline } from "./0048_attention_about_people_online.ts"
import { knownDevices } from "./0049_known_devices.ts"
import { portalMail } from "./0050_portal_mail.ts"
import { portalResets } from "./0051_portal_resets.ts"
import { givenPasswords } from "./0052_given_passwords.ts"
import { events } from "./0053_events.ts"
import { notedChanges } from "./0054_noted_changes.ts"
import { cashierNames } from "./0055_cashier_names.ts"
import { ownCredentials } from "./0056_own_credentials.ts"
import { proformaReferences } from "./0057_proforma_references.ts"
import { webhooks } from "./0058_webhooks.ts"
import { casesInOrderOnline } from "./0059_cases_in_order_online.ts"
import { amountsOfEntries } from "./0060_amounts_of_entries.ts"
import { amountsOfEntriesOnline } from "./0061_amounts_of_entries_online.ts"
import { elsewhereReceipts } from "./0062_elsewhere_receipts.ts"
import { attentionAboutOrganizations } from "./0063_attention_about_organizations.ts"
import { attentionAboutOrganizationsOnline } from "./0064_attention_about_organizations_online.ts"
import { waysOfSigningIn } from "./0065_ways_of_signing_in.ts"
import { personDevices } from "./0066_person_devices.ts"
import { leavingTurns } from "./0068_leaving_turns.ts"
import { advancesOnline } from "./0070_advances_online.ts"
import { cosignatures } from "./0073_cosignatures.ts"
import type { Migration } from "./Migration.ts"
import { membershipsOfPersons } from "./0043_memberships_of_persons.ts"
import { namesAndSearches } from "./0076_names_and_searches.ts"
import { actsOfPeopleOnline } from "./0077_acts_of_people_online.ts"
import { packedTexts } from "./0080_packed_texts.ts"
import { webhookQueueOnline } from "./0081_webhook_queue_online.ts"
import { monthMails } from "./0082_month_mails.ts"
import { turnoverSides } from "./0083_turnover_sides.ts"
import { turnoverSidesOnline } from "./0084_turnover_sides_online.ts"
import { openedOrganizations } from "./0085_opened_organizations.ts"
import { sentForms } from "./0086_sent_forms.ts"
import { keptClosings } from "./0087_kept_closings.ts"
import { keptRefunds } from "./0088_kept_refunds.ts"
import { receiptsWithoutAnAttempt } from "./0089_receipts_without_an_attempt.ts"
import { packedAnswers } from "./0090_packed_answers.ts"

/** Every migration, in order. A new one is appended; an old one is never edited. */
export const migrations: ReadonlyArray<Migration> = [
  tenancy,
  securityElements,
  access,
  installation,
  operations,
  payloadStorage,
  pfrTimeIndex,
  operationsUpkeep,
  refunds,
  operatorsRecords,
  oneIndexForEachKey,
  rejectedCopies,
  people,
  products,
  foldedOperations,
  foldedOperationsOnline,
  receiptDeliveries,
  workflows,
  oneInFlight,
  journal,
  journalOnline,
  heldKeys,
  heldKeysOnline,
  journalLog,
  journalLogOnline,
  credentialKeys,
  counters,
  restore,
  refundsOfOriginalsOnline,
  wholeKeysOfWorkflows,
  credentialUse,
  answersStay,
  billing,
  sealingPositions,
  sealingPositionsOnline,
  passkeys,
  erasure,
  reportsOnline,
  turnoverDays,
  turnoverDaysOnline,
  takenBack,
  derivedRequestIds,
  membershipsOfPersons,
  closingsOnline,
  documentsInDoubt,
  documentsInDoubtOnline,
  attentionAboutPeople,
  attentionAboutPeopleOnline,
  knownDevices,
  portalMail,
  portalResets,
  givenPasswords,
  events,
  notedChanges,
  cashierNames,
  ownCredentials,
  proformaReferences,
  webhooks,
  casesInOrderOnline,
  amountsOfEntries,
  amountsOfEntriesOnline,
  elsewhereReceipts,
  attentionAboutOrganizations,
  attentionAboutOrganizationsOnline,
  waysOfSigningIn,
  personDevices,
  leavingTurns,
  advancesOnline,
  cosignatures,
  namesAndSearches,
  actsOfPeopleOnline,
  packedTexts,
  webhookQueueOnline,
  monthMails,
  turnoverSides,
  turnoverSidesOnline,
  openedOrganizations,
  sentForms,
  keptClosings,
  keptRefunds,
  receiptsWithoutAnAttempt,
  packedAnswers
]
