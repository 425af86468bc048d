import { dot, legalModuleSize, widestModuleSize } from "../qr/moduleSize.ts"
import type { Paper } from "./Paper.ts"

/** Advance of DejaVu Sans Mono, of one em. */
const monoAdvance = 1233 / 2048
const columns = 40

/** The size at which one of the forty columns is `advance` wide. */
const monoSize = (advance: number): number => advance / monoAdvance

const a4Width = 595.28
const a4Margin = 56
const a4Advance = 5.65

export type A4 = Paper & { readonly height: number; readonly margin: { readonly top: number; readonly bottom: number } }

const typeAt = (scale: number, size: number, line: number) => ({ size: size * scale, line: line * scale })

/**
 * A4 upright: the journal as a centred column, the service's own parts below it over the whole width. `scale` makes all type smaller, never the QR
 * code.
 */
export const a4At = (scale: number): A4 => {
  const advance = a4Advance * scale
  return {
    width: a4Width,
    height: 841.89,
    margin: { top: 44, bottom: 50 },
    column: { x: (a4Width - columns * advance) / 2, width: columns * advance, type: { size: monoSize(advance), line: 11.3 * scale } },
    noticeWidth: a4Width - 2 * a4Margin,
    own: {
      x: a4Margin,
      width: a4Width - 2 * a4Margin,
      type: typeAt(scale, 9, 12),
      small: typeAt(scale, 8, 10.5),
      heading: typeAt(scale, 9.2, 15)
    },
    gap: 10,
    logo: { width: 160, height: 50 },
    // Office printers resolve three times as many dots; screens and previews show these.
    printerDot: dot,
    moduleSize: (modules: number) => legalModuleSize(modules, dot),
    wideTables: true
  }
}

/** 80 mm roll: 72 mm (576 dots) are printable; a column is 14 dots, so that every letter is on the printer's grid. */
export const roll80: Paper = {
  width: 576 * dot,
  column: { x: 8 * dot, width: 560 * dot, type: { size: monoSize(14 * dot), line: 28 * dot } },
  noticeWidth: 560 * dot,
  own: {
    x: 8 * dot,
    width: 560 * dot,
    type: { size: 23 * dot, line: 28 * dot },
    small: { size: 20 * dot, line: 25 * dot },
    heading: { size: 23 * dot, line: 34 * dot }
  },
  gap: 20 * dot,
  logo: { width: 380 * dot, height: 160 * dot },
  printerDot: dot,
  moduleSize: (modules) => legalModuleSize(modules, dot),
  wideTables: false
}

/** 58 mm roll: 48 mm (384 dots) are printable; forty columns leave nine dots for each. */
export const roll58: Paper = {
  width: 384 * dot,
  column: { x: 2 * dot, width: 380 * dot, type: { size: monoSize(9.5 * dot), line: 20 * dot } },
  noticeWidth: 380 * dot,
  own: {
    x: 2 * dot,
    width: 380 * dot,
    type: { size: 15 * dot, line: 19 * dot },
    small: { size: 14 * dot, line: 18 * dot },
    heading: { size: 15 * dot, line: 24 * dot }
  },
  gap: 16 * dot,
  logo: { width: 260 * dot, height: 120 * dot },
  printerDot: dot,
  moduleSize: (modules) => widestModuleSize(modules, 384 * dot, dot),
  wideTables: false
}
