import { FiscalDocumentId } from "@overa/domain"

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** An identifier from an address; null when it is none. */
export const documentId = (text: string | null | undefined): FiscalDocumentId | null =>
  text !== null && text !== undefined && uuid.test(text.toLowerCase()) ? FiscalDocumentId.make(text.toLowerCase()) : null
