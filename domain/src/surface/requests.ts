/** Request bodies: every fault at once, with a pointer to each. */
export { Fault, faultAt, keyOf, type Path, pointerOf, RequestFaults } from "../requests/Fault.ts"
export { decodeFiscalDocumentRequest, decodeNormalSale, type ExternalCopy, FiscalDocumentShape, type NormalSale } from "../requests/FiscalDocumentRequest.ts"
export { amountBounds, knownRejections, totalsFault, totalsRule } from "../requests/itemsField.ts"
export { canonicalInstant, requestInstant, requestTimeFault, requestTimeField } from "../requests/RequestTime.ts"
export { bodyOf, decimalFromJsonNumber, longestNumber, NumbersNotExact, readBodyTree, UnrepresentableNumber } from "../requests/bodyTree.ts"
export { type BodyRule, mostInOne, mostNodes, requestDecoder, tooManyNodes } from "../requests/decodeRequest.ts"
export { decodeIdempotencyKey } from "../idempotency/boundKey.ts"
export { noControlCharacters, noControlCharactersButNewline } from "../requests/fields.ts"
export {
  type ExternalReference, externalReferenceField, referenceField, type RequestedReference, type ServiceReference, serviceReferenceField, toReference,
  toServiceReference
} from "../requests/commonFields.ts"
export {
  type AdvanceCancellationRequest, AdvanceCancellationShape, decodeAdvanceCancellationRequest
} from "../requests/AdvanceCancellationRequest.ts"
export {
  type AdvanceCaseRequest, AdvanceCaseShape, decodeAdvanceCaseRequest, externalAdvanceField, type RequestedExternalAdvance
} from "../requests/AdvanceCaseRequest.ts"
export {
  type AdvanceClosingRequest, AdvanceClosingShape, closingBuyer, decodeAdvanceClosingRequest
} from "../requests/AdvanceClosingRequest.ts"
export {
  type AdvancePaymentRequest, AdvancePaymentShape, checkPaymentDay, decodeAdvancePaymentRequest
} from "../requests/AdvancePaymentRequest.ts"
export { type CopyRequest, CopyShape, decodeCopyRequest } from "../requests/CopyRequest.ts"
export { decodeProformaTrainingRequest, type ProformaTrainingRequest, ProformaTrainingShape } from "../requests/ProformaTrainingRequest.ts"
export { decodeRefundRequest, type RefundRequest, RefundShape } from "../requests/RefundRequest.ts"
export { decodePremiseRegistration, decodeTaxpayerRegistration, type PremiseRegistration, type TaxpayerRegistration, TaxpayerRegistrationShape } from "../requests/TaxpayerRegistration.ts"
