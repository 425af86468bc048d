import {
  decodeAdvanceCancellationRequest, decodeAdvanceCaseRequest, decodeAdvanceClosingRequest, decodeAdvancePaymentRequest, decodeCopyRequest,
  decodeCredentialRotation, decodeFiscalDocumentRequest, decodeNewCredential, decodeNewProduct, decodeProductReplacement, decodeProformaTrainingRequest, decodeReceiptDeliveryRequest,
  decodeNewWebhookEndpoint, decodeRefundRequest, decodeTaxpayerRegistration, decodeWebhookEndpointReplacement, decodeWebhookResend, readBodyTree, requestDecoder, type RequestFaults
} from "@overa/domain"
import { openApiDocument, operations } from "@overa/rest-api"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { BigDecimal, Result, type Schema } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compiledIn } from "../src/support/contractChecker.ts"
import { completed, edgeBodies, fullBody } from "../src/support/edgeBodies.ts"
import { type Components, damaged, ofSchema } from "../src/support/schemaArbitrary.ts"

type Decode = (tree: unknown) => Result.Result<unknown, RequestFaults>

const sandbox = { environment: "sandbox" } as const

/** The decoder that the handler of each operation uses. */
const decoders: Readonly<Record<string, Decode>> = {
  issueFiscalDocument: (tree) => decodeFiscalDocumentRequest(tree, sandbox),
  dryRunFiscalDocument: (tree) => decodeFiscalDocumentRequest(tree, sandbox),
  issueCopy: decodeCopyRequest,
  refundSale: (tree) => decodeRefundRequest(tree, sandbox),
  openAdvanceCase: decodeAdvanceCaseRequest,
  addAdvancePayment: (tree) => decodeAdvancePaymentRequest(tree, sandbox),
  cancelAdvanceSale: decodeAdvanceCancellationRequest,
  closeAdvanceCase: (tree) => decodeAdvanceClosingRequest(tree, sandbox),
  issueProformaTraining: (tree) => decodeProformaTrainingRequest(tree, sandbox),
  deliverReceipt: decodeReceiptDeliveryRequest,
  registerTaxpayer: decodeTaxpayerRegistration,
  createProduct: decodeNewProduct,
  replaceProduct: decodeProductReplacement,
  issueCredential: decodeNewCredential,
  rotateCredential: decodeCredentialRotation,
  createWebhookEndpoint: (body) => decodeNewWebhookEndpoint(body, "sandbox"),
  replaceWebhookEndpoint: (body) => decodeWebhookEndpointReplacement(body, "sandbox"),
  resendWebhookEvents: decodeWebhookResend
}

/** Faults of one value that JSON Schema cannot express in a form that every reader understands. */
const inexpressible = [
  /^must be a date that exists$/,
  /^must be a period of dates that exist$/,
  /^must be a period that does not end before it begins$/,
  /^must be a number of at most 15 significant digits$/,
  /^must be one e-mail address, like kupac@example\.rs$/,
  /^must have at most 254 octets$/,
  /^must have all its digits: a spreadsheet /,
  /^must be a web address that begins with https:/,
  /^must not contain a user name or password; /,
  /^must not contain a fragment$/,
  /^must have at most 24000 members and elements in all/
]

/** Faults between the values of a body: the rules that a decoder checks beside the shape. */
const betweenValues = [
  /^(the items|must) come to at most [0-9.]+/,
  /^the items must come to at most [0-9.]+ together/,
  /^the items come to [0-9.]+, the payments to [0-9.]+; they must be equal$/,
  /^must be greater than unitPrice$/,
  /^must be 1 on an advance item$/,
  /^must be only .+, the label the advance item names$/,
  /^must have at most 2048 characters together with /,
  /^is required on every item but the prescribed advance items$/,
  /^names a corporate card /,
  /^is allowed only on a Normal Sale, not on any other document$/,
  /^of this transactionType is issued by /,
  /^must be NORMAL or ADVANCE; other documents cannot be copied$/,
  /^must equal the transactionType of the copy$/,
  /^is accepted only with a WIRE_TRANSFER among the payments$/,
  /^must not be more than amount, which includes it$/,
  /^is required on a refund/,
  /^must differ from the other premises' identifiers$/,
  /^must not be below from$/,
  /^must be at most 999 above from$/
]

/** The document's components, checked by the meaning of their keywords: steps by digits, UUIDs and times without the additions of a format library. */
const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addFormat("uuid", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
ajv.removeKeyword("multipleOf")
ajv.addKeyword({
  keyword: "multipleOf",
  type: "number",
  schemaType: "number",
  validate: (step: number, value: number) => {
    const [of, by] = [BigDecimal.fromStringUnsafe(String(value)), BigDecimal.fromStringUnsafe(String(step))]
    return BigDecimal.equals(BigDecimal.remainderUnsafe(of, by), BigDecimal.fromBigInt(0n))
  }
})

const document = openApiDocument(operations, { baseUrl: "https://api.overa.test", tokenUrl: "https://api.overa.test/oauth/token", contactEmail: null })
const components = document.components.schemas as Components
ajv.addSchema({ $id: "contract", components: document.components })

const treeOf = (body: unknown): unknown => Result.getOrThrow(readBodyTree(JSON.stringify(body)))

/** A value as the server receives it after writing it as JSON. */
const asSent = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  values.map((value): unknown => JSON.parse(JSON.stringify(value ?? null)))

const messagesOf = (decoded: Result.Result<unknown, RequestFaults>): ReadonlyArray<string> =>
  Result.isSuccess(decoded) ? [] : decoded.failure.faults.map(({ message }) => message)

interface Body {
  readonly id: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly example: unknown
  readonly accepts: ValidateFunction
  /** The shape alone, without the rules between its members. */
  readonly ofShape: Decode
}

const bodies: ReadonlyArray<Body> = operations.flatMap(({ body, id }) =>
  body === null || body.shape === null
    ? []
    : [{
      id,
      schema: body.schema,
      example: body.example,
      accepts: compiledIn(ajv, body.schema),
      ofShape: requestDecoder(body.shape as Schema.ConstraintDecoder<unknown>)
    }]
)

const decoderOf = (id: string): Decode => {
  const decode = decoders[id]
  if (decode === undefined) throw new Error(`No decoder is known of ${id}.`)
  return decode
}

const isOfShape = (message: string): boolean => ![...inexpressible, ...betweenValues].some((rule) => rule.test(message))

/**
 * Null if document and decoder agree on a body. A body that the document accepts may be refused by the handler's decoder only through listed rules; a
 * body that the document refuses is refused by the shape and by the handler's decoder.
 */
const disagreement = ({ accepts, id, ofShape }: Body, body: unknown): string | null => {
  const tree = treeOf(body)
  const read = decoderOf(id)(tree)
  if (accepts(body)) {
    const faults = messagesOf(read).filter(isOfShape)
    return faults.length === 0 ? null : `accepted by the document, refused by the decoder: ${JSON.stringify({ faults, body })}`
  }
  const isRefused = Result.isFailure(ofShape(tree)) && Result.isFailure(read)
  return isRefused ? null : `accepted by the decoder, refused by the document: ${JSON.stringify({ errors: accepts.errors, body })}`
}

describe("the contract's schemas of bodies say what the decoders read", () => {
  it("knows the decoder of every operation with a JSON body", () => {
    expect(bodies.map(({ id }) => id).toSorted()).toEqual(Object.keys(decoders).toSorted())
  })

  it("publishes less than is read where another code refuses: a proforma sale may be read with a foreign reference, and is told that it takes none", () => {
    const reference = { source: "EXTERNAL", pfrNumber: "ABCD1234-ABCD1234-15", pfrTime: "2026-08-29T12:30:00Z", invoiceType: "PROFORMA", transactionType: "SALE" }
    const proforma = bodies.find(({ id }) => id === "issueProformaTraining")
    const body = { ...proforma?.example as object, transactionType: "SALE", reference }
    expect(messagesOf(decoderOf("issueProformaTraining")(treeOf(body)))).toEqual([])
    expect(proforma?.accepts(body)).toBe(false)
  })

  describe.each(bodies.map((body) => [body.id, body] as const))("%s", (id, body) => {
    it("gives an example that its decoder reads", () => {
      expect(messagesOf(decoderOf(id)(treeOf(body.example)))).toEqual([])
      expect(disagreement(body, body.example)).toBeNull()
    })

    it("draws every bound where the decoder draws it", () => {
      const whole = fullBody(body.schema, components)
      expect(messagesOf(body.ofShape(treeOf(whole)))).toEqual([])
      const edges = [whole, body.example, completed(body.example, whole)].flatMap((base) => edgeBodies(body.schema, components, base))
      expect(edges.filter((edge) => body.accepts(edge)).length).toBeGreaterThan(5)
      expect(edges.map((edge) => disagreement(body, edge)).filter((one) => one !== null)).toEqual([])
    })

    it("accepts exactly the bodies whose shape the decoder does not refuse", () => {
      const valid = ofSchema(body.schema, components)
      fc.assert(
        fc.property(asSent(fc.oneof(valid, damaged(valid), damaged(fc.constant(body.example)))), (one) => {
          expect(disagreement(body, one)).toBeNull()
        }),
        { numRuns: 300 }
      )
    })
  })
})
