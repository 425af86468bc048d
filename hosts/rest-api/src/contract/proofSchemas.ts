import { jidForm } from "@overa/domain"
import { linkFacts } from "@overa/domain"
import { always, decimal, flag, integer, type JsonSchema, list, nullable, object, oneOfTexts, ref, text, utcTime } from "@overa/host-kit/contract"

const base64 = (description: string): JsonSchema => text(description, { contentEncoding: "base64" })
const jid = (description: string): JsonSchema => text(description, { pattern: jidForm.source })
const standing = oneOfTexts(
  "`PROVEN`: signed, and the signature verifies under a known key. `CLAIMED`: signed, not verified. `NOT_COVERED`: not signed; anybody could have changed it.",
  ["PROVEN", "CLAIMED", "NOT_COVERED"]
)

/** Dry run and proof. Source: Decisions §14, §17. */
export const proofSchemas: Readonly<Record<string, JsonSchema>> = {
  PreviewTax: object("The tax of one label over all lines.", {
    label: text("The label."),
    rate: decimal("Percent, or dinars per unit of quantity for labels of that kind."),
    amount: decimal("Dinars with four decimals, as the V-PFR will sign it.")
  }),
  DryRun: object("The request would be issued as it is.", {
    valid: always("The document would be reserved now; a request that would not be is answered as the sale itself would be.", true),
    totalAmount: decimal("Sum of the lines, dinars."),
    taxes: nullable(list("By label, zero rates too; null where a copy refers to a time whose rates are not known.", ref("PreviewTax"))),
    journalPreview: nullable(
      text("The receipt's text as it would be signed, marked as no receipt: in its first and last line, by a notice in the middle, and by `НИЈЕ ПОТПИСАНО` for PFR time, number and counter; null where `taxes` is, or where the security element cannot be opened now.")
    )
  }),
  Proof: object("Everything that shows what happened to a document, in one file. A person or a program can check it offline.", {
    version: integer("Version of this form.", { enum: [1] }),
    document: ref("FiscalDocument"),
    request: ref("ProvenRequest"),
    attempts: list("Every attempt to have it signed, the first one first.", ref("ProvenAttempt")),
    transitions: list("Every transition of the document, oldest first.", ref("ProvenTransition")),
    answer: nullable(ref("ProvenAnswer")),
    journal: nullable(ref("ProvenPlace"))
  }),
  ProvenRequest: object("The request. Documents that the service itself composed show the request that caused them.", {
    method: text("Of the request."),
    path: text("With its parameters."),
    received: text("The body as it was received."),
    canonical: nullable(text("The text of which the fingerprint is taken: target and body, every spelling alike; null where it was made by rules of another version.")),
    fingerprint: text("SHA-256 of `canonical`, hexadecimal.", { pattern: "^[0-9a-f]{64}$" }),
    fingerprintRule: integer("Version of the rules that made `canonical`."),
    erased: object("Present where `metadata` and the cashier's `displayName` were erased from `received` since; `canonical` is then null.", {
      at: utcTime("When."),
      note: text("The digests of body and record before and after the erasure, as a note signed with the log's key (C2SP signed-note).")
    })
  }, ["erased"]),
  ProvenAttempt: object("One attempt to have the document signed.", {
    number: integer("From 1."),
    requestId: text("The `RequestId` the V-PFR was sent."),
    jid: jid("JID of the security element."),
    startedAt: utcTime("When it was reserved, before anything was sent."),
    outcome: nullable(oneOfTexts("How it ended; null while that is not known.", ["SIGNED", "REJECTED", "NOT_SENT", "NO_ANSWER"])),
    lastSearch: nullable(object("The last search of the V-PFR for this `RequestId`.", {
      at: utcTime("When."),
      found: flag("Whether it found a receipt that is not this document's.")
    }))
  }),
  ProvenTransition: object("One transition of the document.", {
    from: nullable(ref("DocumentStatus")),
    to: ref("DocumentStatus"),
    at: utcTime("When."),
    cause: text("What happened."),
    actor: text("Which host, worker or operator made it."),
    attempt: integer("Number of the attempt, 0 before the first.")
  }),
  ProvenAnswer: object("The V-PFR's answer.", {
    text: base64("Its bytes."),
    verification: nullable(ref("ProvenVerification"))
  }),
  ProvenVerification: object("The verification link in the answer, decoded, and what can be said of it offline.", {
    link: object("What the link states.", {
      root: text("The address the link leads to."),
      requestedBy: jid("JID of the security element."),
      signedBy: jid("JID of the signer, as the link names it."),
      totalCounter: integer("Receipts of this pair of element and signer."),
      transactionTypeCounter: integer("The same, of this kind of document."),
      totalAmount: decimal("Dinars."),
      sdcTime: utcTime("When it was signed."),
      invoiceType: ref("InvoiceType"),
      transactionType: ref("TransactionType"),
      buyerId: nullable(text("`prefix:value`."))
    }),
    undamaged: flag("The link's checksum fits. Anybody can compute it: no proof of origin."),
    signature: oneOfTexts("`VALID`: it verifies under `signer`. `UNDER_NO_KNOWN_KEY`: under none of the keys the operator has recorded. `NOT_CHECKED`: there is no key.",
      ["VALID", "UNDER_NO_KNOWN_KEY", "NOT_CHECKED"]),
    signer: nullable(object("The key under which it verifies. Whose key it is has to be known from elsewhere.", {
      name: text("The name under which the operator recorded it."),
      modulus: text("RSA modulus, hexadecimal; the exponent is 65537.", { pattern: "^[0-9a-f]+$" })
    })),
    standing: object("How far each fact of the link can be relied on.", Object.fromEntries(linkFacts.map((fact) => [fact, standing]))),
    leadsToAuthority: nullable(flag("Whether the link leads to the tax authority's address; null where that is not known."))
  }),
  ProvenPlace: object("The document's place in the journal's log.", {
    origin: text("Which log."),
    publicKey: text("Its verifier key, in the form of signed notes."),
    checkpoint: text("A signed checkpoint whose tree holds every entry."),
    entries: list("The document's sealed transitions.", object("One leaf of the log.", {
      index: integer("Its position, from 0."),
      leaf: text("The leaf: JSON, hashed as these UTF-8 bytes."),
      inclusion: list("The audit path of RFC 6962.", base64("A hash of 32 bytes."))
    }))
  })
}
