import type { JsonSchema } from "@overa/host-kit/contract"
import { advanceSchemas } from "../contract/advanceSchemas.ts"
import { credentialSchemas } from "../contract/credentialSchemas.ts"
import { deliverySchemas } from "../contract/deliverySchemas.ts"
import { eventSchemas } from "../contract/eventSchemas.ts"
import { journalSchemas } from "../contract/journalSchemas.ts"
import { logSchemas } from "../contract/logSchemas.ts"
import { productSchemas } from "../contract/productSchemas.ts"
import { proformaTrainingSchemas } from "../contract/proformaTrainingSchemas.ts"
import { proofSchemas } from "../contract/proofSchemas.ts"
import { refundSchemas } from "../contract/refundSchemas.ts"
import { setupSchemas } from "../contract/setupSchemas.ts"
import { webhookSchemas } from "../contract/webhookSchemas.ts"
import type { Operation } from "../http/Operation.ts"
import { getAdvanceCase } from "./getAdvanceCase.ts"
import { getAdvanceCases } from "./getAdvanceCases.ts"
import { getBusinessPremises } from "./getBusinessPremises.ts"
import { getCredentials } from "./getCredentials.ts"
import { getEvents } from "./getEvents.ts"
import { getWebhookAttempts } from "./getWebhookAttempts.ts"
import { getWebhookEndpoint } from "./getWebhookEndpoint.ts"
import { getWebhookEndpoints } from "./getWebhookEndpoints.ts"
import { postWebhookEndpoints } from "./postWebhookEndpoints.ts"
import { postWebhookResends } from "./postWebhookResends.ts"
import { postWebhookSecrets } from "./postWebhookSecrets.ts"
import { postWebhookTests } from "./postWebhookTests.ts"
import { putWebhookEndpoint } from "./putWebhookEndpoint.ts"
import { getFiscalDocument } from "./getFiscalDocument.ts"
import { getJournal } from "./getJournal.ts"
import { getJournalCheckpoint } from "./getJournalCheckpoint.ts"
import { getJournalConsistency } from "./getJournalConsistency.ts"
import { getJournalExport } from "./getJournalExport.ts"
import { getJournalInclusion } from "./getJournalInclusion.ts"
import { getLicense } from "./getLicense.ts"
import { getOperation } from "./getOperation.ts"
import { getProduct } from "./getProduct.ts"
import { getProductExport } from "./getProductExport.ts"
import { getProducts } from "./getProducts.ts"
import { getProformaTrainingWorkflow } from "./getProformaTrainingWorkflow.ts"
import { getReceiptDeliveries } from "./getReceiptDeliveries.ts"
import { getReceiptDelivery } from "./getReceiptDelivery.ts"
import { getProof } from "./getProof.ts"
import { getRefundable } from "./getRefundable.ts"
import { getRefundWorkflow } from "./getRefundWorkflow.ts"
import { getRefundWorkflows } from "./getRefundWorkflows.ts"
import { getRepresentation } from "./getRepresentation.ts"
import { getRuntime } from "./getRuntime.ts"
import { getSecurityElements } from "./getSecurityElements.ts"
import { getTaxpayers } from "./getTaxpayers.ts"
import { getTaxRates } from "./getTaxRates.ts"
import { getTurnover } from "./getTurnover.ts"
import { postAdvanceCancellations } from "./postAdvanceCancellations.ts"
import { postAdvanceCases } from "./postAdvanceCases.ts"
import { postAdvanceClosing } from "./postAdvanceClosing.ts"
import { postAdvancePayments } from "./postAdvancePayments.ts"
import { postCopies } from "./postCopies.ts"
import { postCredentialRevocation } from "./postCredentialRevocation.ts"
import { postCredentialRotation } from "./postCredentialRotation.ts"
import { postCredentials } from "./postCredentials.ts"
import { postDryRun } from "./postDryRun.ts"
import { postFiscalDocuments } from "./postFiscalDocuments.ts"
import { postProductImport } from "./postProductImport.ts"
import { postProducts } from "./postProducts.ts"
import { postProformaTrainingWorkflows } from "./postProformaTrainingWorkflows.ts"
import { postReceiptDeliveries } from "./postReceiptDeliveries.ts"
import { postRefundWorkflows } from "./postRefundWorkflows.ts"
import { postTaxpayers } from "./postTaxpayers.ts"
import { putProduct } from "./putProduct.ts"

/** Every operation of the contract, in the order the reference shows them. */
export const operations: ReadonlyArray<Operation> = [
  postFiscalDocuments,
  postDryRun,
  getFiscalDocument,
  getRepresentation,
  getProof,
  postCopies,
  getOperation,
  postRefundWorkflows,
  getRefundWorkflows,
  getRefundWorkflow,
  getRefundable,
  postAdvanceCases,
  getAdvanceCases,
  getAdvanceCase,
  postAdvancePayments,
  postAdvanceCancellations,
  postAdvanceClosing,
  postProformaTrainingWorkflows,
  getProformaTrainingWorkflow,
  postReceiptDeliveries,
  getReceiptDeliveries,
  getReceiptDelivery,
  getRuntime,
  getTaxpayers,
  postTaxpayers,
  getBusinessPremises,
  getTaxRates,
  getLicense,
  getSecurityElements,
  getJournal,
  getJournalExport,
  getJournalCheckpoint,
  getJournalConsistency,
  getJournalInclusion,
  getTurnover,
  getEvents,
  getCredentials,
  postCredentials,
  postCredentialRotation,
  postCredentialRevocation,
  postWebhookEndpoints,
  getWebhookEndpoints,
  getWebhookEndpoint,
  putWebhookEndpoint,
  postWebhookSecrets,
  postWebhookTests,
  postWebhookResends,
  getWebhookAttempts,
  postProducts,
  getProducts,
  // Before the paths with an id, which would match it.
  postProductImport,
  getProductExport,
  getProduct,
  putProduct
]

/** The named schemas of their answers. The document shows those that an operation uses. */
export const answerSchemas: Readonly<Record<string, JsonSchema>> = {
  ...logSchemas,
  ...eventSchemas,
  ...webhookSchemas,
  ...proofSchemas,
  ...refundSchemas,
  ...advanceSchemas,
  ...proformaTrainingSchemas,
  ...setupSchemas,
  ...credentialSchemas,
  ...productSchemas,
  ...deliverySchemas,
  ...journalSchemas
}
