import fc from "fast-check"

/** The link's parameter with these bytes. */
export const linkWith = (bytes: Uint8Array): string => encodeURIComponent(Buffer.from(bytes).toString("base64"))

const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length })

/** A link's beginning (V-PFR §7.1): fixed facts, and the buyer, whose length is the last of them. */
const beginning = fc.integer({ min: 0, max: 20 }).chain((length) => fc.tuple(bytes(43), bytes(length)).map(([facts, buyer]) => Buffer.concat([facts, Buffer.of(length), buyer])))

/** The parts of a link: its beginning, the encrypted data of either length, the signature, the digest. */
const parts = fc.record({
  begins: beginning,
  encrypted: fc.constantFrom(256, 512).chain(bytes),
  signature: bytes(256),
  digest: bytes(16)
})

const base64 = (value: Uint8Array): string => Buffer.from(value).toString("base64")

/** Texts of answers as a V-PFR writes them, with the two values that the link repeats. */
export const wholeAnswers = parts.chain(({ begins, digest, encrypted, signature }) => {
  const link = linkWith(Buffer.concat([begins, encrypted, signature, digest]))
  const values = { signature: base64(signature), encrypted: base64(encrypted) }
  return fc.record({ root: fc.constantFrom("https://pfr.test/v/?vl=", "https://suf.purs.gov.rs/v/?vl="), journal: fc.constantFrom("ФИСКАЛНИ РАЧУН\r\n", "\"", "$&", "\\u0001") }).map(
    ({ journal, root }) => ({
      ...values,
      text: JSON.stringify({ invoiceNumber: "A-A-1", verificationUrl: `${root}${link}`, journal, encryptedInternalData: values.encrypted, signature: values.signature })
    })
  )
})

/** The same in other ways: spaces, the link behind its values, a value twice or in another member, percent signs in small letters, an escaped link, a part missing. */
export const unusualAnswers: fc.Arbitrary<string> = fc.record({ answer: wholeAnswers, way: fc.nat(8) }).map(({ answer: { encrypted, signature, text }, way }) => {
  const members = JSON.parse(text) as Record<string, string>
  const { verificationUrl = "", ...others } = members
  const ways: ReadonlyArray<() => string> = [
    () => JSON.stringify(members, null, 2),
    () => JSON.stringify({ ...others, verificationUrl }),
    () => JSON.stringify({ ...members, again: signature, more: [encrypted, signature] }),
    () => text.replaceAll("%2B", "%2b").replaceAll("%2F", "%2f").replaceAll("%3D", "%3d"),
    () => text.replaceAll("/", "\\/"),
    () => JSON.stringify({ ...members, signature: signature.slice(1) }),
    () => text.replace("?vl=", "?x=1&vl="),
    () => JSON.stringify({ verificationUrl: "https://pfr.test/v/?vl=", ...members }),
    () => `${text.slice(0, -1)},"verificationUrl":"https://pfr.test/v/?vl=AAAA"}`
  ]
  return ways[way]?.() ?? text
})
