import Pdf from "pdfkit"
import type { ReceiptLayout } from "../layout/ReceiptLayout.ts"
import { internalsOf } from "./pdfkitInternals.ts"

const escapedForXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** pdfkit copies title and author into the XML metadata unescaped: they must be escaped there, and only there. */
const escapeXmlMetadata = (document: InstanceType<typeof Pdf>): void => {
  const internals = internalsOf(document)
  const end = internals.endMetadata.bind(document)
  internals.endMetadata = () => {
    const { info } = document
    if (info.Title !== undefined) info.Title = escapedForXml(info.Title)
    if (info.Author !== undefined) info.Author = escapedForXml(info.Author)
    end()
  }
}

/**
 * An empty tagged document with its metadata. Dates are the receipt's, never now: the same receipt gives the same bytes (Decisions §6).
 */
export const openPdf = (layout: Pick<ReceiptLayout, "author" | "signedAt" | "title">, language = "sr-Cyrl-RS"): InstanceType<typeof Pdf> => {
  const signedAt = new Date(layout.signedAt)
  const document = new Pdf({
    font: "",
    autoFirstPage: false,
    pdfVersion: "1.7",
    tagged: true,
    displayTitle: true,
    lang: language,
    info: {
      Title: layout.title,
      ...(layout.author === "" ? {} : { Author: layout.author }),
      Creator: "Overa",
      Producer: "Overa, PDFKit",
      CreationDate: signedAt,
      ModDate: signedAt
    }
  })
  escapeXmlMetadata(document)
  return document
}

/** Ends the document and collects it. */
export const closePdf = (document: InstanceType<typeof Pdf>): Promise<Uint8Array> => {
  const chunks: Array<Uint8Array> = []
  const { promise, reject, resolve } = Promise.withResolvers<Uint8Array>()
  document.on("data", (chunk: Uint8Array) => chunks.push(chunk))
  document.on("error", reject)
  document.on("end", () => resolve(Buffer.concat(chunks)))
  document.end()
  return promise
}
