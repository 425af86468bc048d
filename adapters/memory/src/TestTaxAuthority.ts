import { type DocumentToSign, PfrTime, type SignedAnswer, type Signer, TaxAuthority, totalAmount } from "@overa/domain"
import { DateTime, Effect, Layer } from "effect"

const signedAnswer = (signer: Signer, { content }: DocumentToSign, at: DateTime.Utc, counter: number): SignedAnswer => ({
  text: "{}",
  pfr: {
    invoiceNumber: `${signer.jid}-${signer.jid}-${counter}`,
    sdcTime: PfrTime.make(DateTime.formatIso(at).replace("Z", "+00:00")),
    requestedBy: signer.jid,
    signedBy: signer.jid,
    transactionTypeCounter: null,
    totalCounter: counter,
    invoiceCounterExtension: null,
    totalAmount: totalAmount(content.items),
    totalTax: null,
    verificationUrl: "https://localhost/v/?vl=test",
    journal: "ОВО НИЈЕ ФИСКАЛНИ РАЧУН\r\n"
  },
  taxes: [],
  taxGroupRevision: null,
  businessName: null,
  tin: null,
  encryptedInternalData: null,
  signature: null
})

/**
 * A minimal tax authority for trying a host: it numbers what it is given, signs nothing, and finds what it numbered by its RequestId. Its answers are
 * no receipts. For the real one use `@overa/adapter-vpfr`; for a faithful stand-in the project's simulator.
 */
export const layerTestAuthority: Layer.Layer<TaxAuthority> = Layer.sync(TaxAuthority, () => {
  const answers = new Map<string, SignedAnswer>()
  return TaxAuthority.of({
    open: (signer) =>
      Effect.succeed({
        submit: (document, { requestId, submittedAt }) =>
          Effect.sync(() => {
            const answer = signedAnswer(signer, document, submittedAt, answers.size + 1)
            answers.set(requestId, answer)
            return { _tag: "Signed", answer, remarks: [] } as const
          })
      }),
    find: (_, { requestId }) =>
      Effect.sync(() => {
        const answer = answers.get(requestId)
        return answer === undefined ? { _tag: "NothingFound" } as const : { _tag: "Found", answer, remarks: [] } as const
      }),
    resetConnections: () => Effect.void
  })
})
