import type { OveraClient } from "@overa/client"

/** A receipt's PDF as the service draws it. */
export const receiptPdf = (client: OveraClient, fiscalDocumentId: string): Promise<Uint8Array> =>
  client.call("readRepresentation", { path: { fiscalDocumentId, representationFormat: "pdf-a4" } })
