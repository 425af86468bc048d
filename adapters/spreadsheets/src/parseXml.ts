import { Parser } from "saxen"

interface XmlHooks {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly close: (name: string) => void
  readonly text?: (text: string) => void
}

/** Names without their prefix: writers choose it freely. */
const localName = (name: string): string => name.slice(name.indexOf(":") + 1)

/** The elements and texts of a part, in their order. A part that the workbook lacks has no elements. */
export const parseXml = (xml: string, { close, open, text }: XmlHooks): void => {
  if (xml === "") return
  const parser = new Parser()
  let fault: Error | null = null
  parser.on("openTag", (name, attributes, decode) =>
    open(localName(name), Object.fromEntries(Object.entries(attributes()).map(([key, value]) => [key, decode(value)]))))
  parser.on("closeTag", (name) => close(localName(name)))
  parser.on("text", (value, decode) => text?.(decode(value)))
  parser.on("cdata", (value) => text?.(value))
  parser.on("error", (error) => void (fault ??= error))
  parser.parse(xml)
  if (fault !== null) throw fault as Error
}

/** `_x000D_` stands for a character that XML cannot contain. */
export const unescaped = (text: string): string => text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
