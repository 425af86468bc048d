import { Schema } from "effect"
import { assert, describe, it } from "vitest"
import { BrandingLogo } from "../../src/documents/Branding.ts"
import { logoFault, logoLimits, type LogoMediaType } from "../../src/documents/logoFault.ts"

const fault = (mediaType: LogoMediaType, bytes: Uint8Array): string | null => logoFault({ mediaType, bytes })

/** The beginning of a PNG: signature, then the header with its size. */
const png = (width: number, height: number, change: (bytes: Uint8Array) => void = () => undefined, length = 33): Uint8Array => {
  const bytes = new Uint8Array(length)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const view = new DataView(bytes.buffer)
  view.setUint32(16, width)
  view.setUint32(20, height)
  change(bytes)
  return bytes
}

const segment = (marker: number, length: number): ReadonlyArray<number> => [0xff, marker, length >> 8, length & 0xff, ...Array<number>(length - 2).fill(0)]
const frame = (marker: number, width: number, height: number): ReadonlyArray<number> =>
  [0xff, marker, 0, 17, 8, height >> 8, height & 0xff, width >> 8, width & 0xff]
const jpeg = (...parts: ReadonlyArray<ReadonlyArray<number>>): Uint8Array => new Uint8Array([0xff, 0xd8, ...parts.flat()])

const svg = (inside: string, attributes = "viewBox=\"0 0 10 10\""): Uint8Array =>
  new TextEncoder().encode(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`)

describe("a PNG logo", () => {
  it.each([[1, 1], [logoLimits.pixels, 1], [1, logoLimits.pixels], [300, 200]])("%d × %d pixels are taken", (width, height) => {
    assert.isNull(fault("image/png", png(width, height)))
  })
  it.each([[0, 5], [5, 0], [logoLimits.pixels + 1, 5], [5, logoLimits.pixels + 1]])("%d × %d pixels are refused", (width, height) => {
    assert.match(fault("image/png", png(width, height)) ?? "", /^a logo is at most 2000 × 2000 pixels$/)
  })
  it("a signature that differs in any byte, or a header that is cut, is no PNG", () => {
    for (const at of [0, 1, 2, 3, 4, 5, 6, 7]) {
      assert.match(fault("image/png", png(10, 10, (bytes) => { bytes[at] = 0 })) ?? "", /bytes are not image\/png$/)
    }
    assert.match(fault("image/png", png(10, 10, () => undefined, 32)) ?? "", /bytes are not image\/png$/)
  })
  it("an interlaced one is refused; the same byte in a JPEG means nothing", () => {
    assert.strictEqual(fault("image/png", png(10, 10, (bytes) => { bytes[28] = 1 })), "a PNG logo must not be interlaced")
    const comment = [...segment(0xfe, 40)]
    comment[26] = 1
    assert.isNull(fault("image/jpeg", jpeg(comment, frame(0xc0, 10, 10))))
  })
  it("is read from where its bytes begin, not from where their memory does", () => {
    const shifted = new Uint8Array([...new Uint8Array(5), ...png(10, 10)]).subarray(5)
    assert.isNull(fault("image/png", shifted))
  })
})

describe("a JPEG logo", () => {
  const frames = [0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]
  it.each(frames)("the frame marker %i carries the size, behind any segment", (marker) => {
    assert.isNull(fault("image/jpeg", jpeg(segment(0xe0, 16), frame(marker, 640, 480))))
    assert.match(fault("image/jpeg", jpeg(frame(marker, 2001, 480))) ?? "", /pixels$/)
    assert.match(fault("image/jpeg", jpeg(frame(marker, 480, 2001))) ?? "", /pixels$/)
  })
  it.each([0xc4, 0xc8, 0xcc, 0xbf, 0xd0])("the marker %i is no frame", (marker) => {
    assert.isNull(fault("image/jpeg", jpeg(segment(marker, 20), frame(0xc0, 10, 10))))
    assert.match(fault("image/jpeg", jpeg(segment(marker, 20))) ?? "", /bytes are not image\/jpeg$/)
  })
  it.each([
    ["nothing", new Uint8Array()],
    ["its first bytes alone", new Uint8Array([0xff, 0xd8, 0xff])],
    ["another first byte", new Uint8Array([0xfe, ...jpeg(frame(0xc0, 10, 10)).subarray(1)])],
    ["another second byte", new Uint8Array([0xff, 0xd9, ...jpeg(frame(0xc0, 10, 10)).subarray(2)])],
    ["no marker after a segment", jpeg(segment(0xe0, 16), [0x00, 0xc0, 0, 17, 8, 0, 10, 0, 10])],
    ["a frame that is cut", jpeg(frame(0xc0, 10, 10)).subarray(0, 10)],
    ["a PNG", png(10, 10)]
  ])("%s is no JPEG", (_, bytes) => {
    assert.match(fault("image/jpeg", bytes) ?? "", /bytes are not image\/jpeg$/)
  })
})

describe("an SVG logo", () => {
  it.each([
    ["plain", svg("<path d=\"M0 0h10v10z\"/>")],
    ["behind a declaration and comments", new TextEncoder().encode(`<?xml version="1.0"?>\n<!-- one --> <!-- two -->\n${new TextDecoder().decode(svg(""))}`)],
    ["right behind a declaration and a comment", new TextEncoder().encode(`<?xml version="1.0"?><!-- one --><!-- two --><svg viewBox='0 0 1 1'/>`)],
    ["behind blank lines", new TextEncoder().encode(`<?xml version="1.0"?>\n\n<!-- one -->\n\n<svg viewBox='0 0 1 1'/>`)],
    ["with references inside itself", svg("<linearGradient id=\"g\"/><path fill=\"url(#g)\" href='#g'/>")],
    ["with an attribute that only contains the word", svg("<path data-on=\"1\" d=\"M0 0\"/>")]
  ])("%s is taken", (_, bytes) => {
    assert.isNull(fault("image/svg+xml", bytes))
  })
  it.each([
    ["<!DOCTYPE svg>", /a document type, an entity or a style sheet/],
    ["<!ENTITY a 'b'>", /a document type, an entity or a style sheet/],
    ["<?xml-stylesheet href='#a'?>", /a document type, an entity or a style sheet/],
    ["<script>1</script>", /script, image, text/],
    ["<s:script>1</s:script>", /script, image, text/],
    ["<foreignObject/>", /script, image, text/],
    ["<image/>", /script, image, text/],
    ["<text>a</text>", /script, image, text/],
    ["<style>a{}</style>", /script, image, text/],
    ["<use/>", /script, image, text/],
    ["<animateTransform/>", /script, image, text/],
    ["<set/>", /script, image, text/],
    ["<a/>", /script, image, text/],
    ["<path onload='x'/>", /event attributes/],
    ["<path onload  = 'x'/>", /event attributes/],
    ["<path href='https://example.com'/>", /references outside the file/],
    ["<path xlink:href = \"file.svg\"/>", /references outside the file/],
    ["<path src='a.png'/>", /references outside the file/],
    ["<path fill='url(https://example.com)'/>", /references outside the file/],
    ["<path fill='url( \"a.svg\")'/>", /references outside the file/]
  ])("%s inside is refused", (inside, why) => {
    assert.match(fault("image/svg+xml", svg(inside)) ?? "", why)
    assert.match(fault("image/svg+xml", svg(inside)) ?? "", /; convert text to outlines$/)
  })
  it("without a viewBox it has no size", () => {
    assert.strictEqual(fault("image/svg+xml", svg("", "width=\"10\"")), "an SVG logo needs a viewBox")
    assert.isNull(fault("image/svg+xml", svg("", "viewBox = '0 0 1 1'")))
  })
  it.each(["", "<html><svg viewBox='0 0 1 1'/></html>", "text <svg viewBox='0 0 1 1'/>", "<svgx viewBox='0 0 1 1'/>"])("%s does not begin with <svg>", (text) => {
    assert.strictEqual(fault("image/svg+xml", new TextEncoder().encode(text)), "an SVG logo must begin with <svg>")
  })
  it("is UTF-8", () => {
    assert.strictEqual(fault("image/svg+xml", new Uint8Array([...svg(""), 0xff])), "an SVG logo must be UTF-8")
  })
})

describe("any logo", () => {
  it("has at most 262 144 bytes", () => {
    assert.isNull(fault("image/png", png(10, 10, () => undefined, logoLimits.bytes)))
    assert.strictEqual(fault("image/png", png(10, 10, () => undefined, logoLimits.bytes + 1)), "a logo has at most 262144 bytes")
  })
})

describe("a stored logo", () => {
  it("is held to the same bounds as one that is sent", () => {
    const isLogo = Schema.is(BrandingLogo)
    assert.isTrue(isLogo({ mediaType: "image/png", bytes: png(10, 10) }))
    assert.isFalse(isLogo({ mediaType: "image/jpeg", bytes: png(10, 10) }))
    assert.isFalse(isLogo({ mediaType: "image/png", bytes: png(logoLimits.pixels + 1, 10) }))
  })
})
