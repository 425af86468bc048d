import forge from "node-forge"

type Asn1 = ReturnType<typeof forge.asn1.fromDer>

const { asn1 } = forge

const children = (node: Asn1 | undefined): ReadonlyArray<Asn1> => (Array.isArray(node?.value) ? (node.value as Array<Asn1>) : [])
const bytesOf = (node: Asn1 | undefined): string => (typeof node?.value === "string" ? node.value : "")

const isExtensions = (node: Asn1): boolean =>
  (node.tagClass as number) === asn1.Class.CONTEXT_SPECIFIC && (node.type as number) === 3

/**
 * The extensions of a certificate by their OID, values as the bytes inside the OCTET STRING. Node's own reader shows only the
 * well-known ones, and the element's facts are in private ones (V-PFR §9).
 */
export const certificateExtensions = (der: Uint8Array): ReadonlyMap<string, Buffer> => {
  const certificate = asn1.fromDer(forge.util.createBuffer(Buffer.from(der).toString("binary")))
  const tbs = children(certificate)[0]
  const list = children(children(tbs).find(isExtensions))[0]
  return new Map(
    children(list).map((extension) => {
      const parts = children(extension)
      return [asn1.derToOid(bytesOf(parts[0])), Buffer.from(bytesOf(parts.at(-1)), "binary")] as const
    })
  )
}

/**
 * The text of an extension: some carry plain characters, some a DER string around them (V-PFR §9). Null when nothing is left.
 */
export const extensionText = (value: Buffer): string | null => {
  const length = value[1] ?? 0
  const isDerString = [0x0c, 0x13, 0x16].includes(value[0] ?? 0) && length < 0x80 && value.length === length + 2
  const text = (isDerString ? value.subarray(2) : value).toString("utf8").replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, "").trim()
  return text === "" ? null : text
}
