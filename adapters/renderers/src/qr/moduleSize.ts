import { quietZone } from "./qrMatrix.ts"

/** One dot of a 203 dpi thermal printer, in PDF points. */
export const dot = 72 / 203

const millimetre = 72 / 25.4

/** The legal square, measured over the modules without quiet zone (V-PFR §7.3; Decisions §6, §10). */
export const legalSquare = { smallest: 40 * millimetre, largest: 50 * millimetre } as const

/**
 * The side of one module in points: the largest whole number of printer dots that keeps the square between 40 and 50 mm. Where no
 * whole number does (3 dots too small, 4 too large), the square is made 49 mm in whole dots, and some modules have one dot more than others.
 */
export const legalModuleSize = (modules: number, printerDot: number): number => {
  const dots = Math.floor(legalSquare.largest / (modules * printerDot))
  const whole = dots * printerDot
  return whole * modules >= legalSquare.smallest ? whole : Math.floor((49 * millimetre) / printerDot) * printerDot / modules
}

/** On narrow paper: the largest whole number of dots with which symbol and quiet zone fit the printable width. */
export const widestModuleSize = (modules: number, printableWidth: number, printerDot: number): number => {
  const dots = Math.max(1, Math.floor(printableWidth / ((modules + 2 * quietZone) * printerDot) + 1e-6))
  return Math.min(dots, Math.floor(legalSquare.largest / (modules * printerDot))) * printerDot
}
