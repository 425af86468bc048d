import type { Operation } from "../http/Operation.ts"
import { getBusinessPremises } from "./getBusinessPremises.ts"
import { getFiscalDocument } from "./getFiscalDocument.ts"
import { getLicense } from "./getLicense.ts"
import { getOperation } from "./getOperation.ts"
import { getProduct } from "./getProduct.ts"
import { getProductExport } from "./getProductExport.ts"
import { getProducts } from "./getProducts.ts"
import { getRefundable } from "./getRefundable.ts"
import { getRefundWorkflow } from "./getRefundWorkflow.ts"
import { getRepresentation } from "./getRepresentation.ts"
import { getRuntime } from "./getRuntime.ts"
import { getSecurityElements } from "./getSecurityElements.ts"
import { getTaxpayers } from "./getTaxpayers.ts"
import { getTaxRates } from "./getTaxRates.ts"
import { postCopies } from "./postCopies.ts"
import { postFiscalDocuments } from "./postFiscalDocuments.ts"
import { postProductImport } from "./postProductImport.ts"
import { postProducts } from "./postProducts.ts"
import { postRefundWorkflows } from "./postRefundWorkflows.ts"
import { postTaxpayers } from "./postTaxpayers.ts"
import { putProduct } from "./putProduct.ts"

/** Every operation of the contract, in the order the reference shows them. */
export const operations: ReadonlyArray<Operation> = [
  postFiscalDocuments,
  getFiscalDocument,
  getRepresentation,
  postCopies,
  getOperation,
  postRefundWorkflows,
  getRefundWorkflow,
  getRefundable,
  getRuntime,
  getTaxpayers,
  postTaxpayers,
  getBusinessPremises,
  getTaxRates,
  getLicense,
  getSecurityElements,
  postProducts,
  getProducts,
  // Before the paths with an id, which would take them for one.
  postProductImport,
  getProductExport,
  getProduct,
  putProduct
]
