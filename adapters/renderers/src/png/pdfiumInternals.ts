import type { PDFiumDocument } from "@hyzyla/pdfium"

/** Bits of PDFium's flags: annotations too, text smoothed as on a screen of liquid crystal, grey. */
const renderFlags = 0x01 | 0x02 | 0x08
/** PDFium's format of one byte a pixel. */
const greyFormat = 1
const white = 0xffffffff

/**
 * The parts of the library that its types do not show. It is pinned to an exact version, and the golden pictures fail when one of these
 * changes. Its own `render` copies each page out of its memory: of a picture of hundreds of pages that took as long as drawing it.
 */
interface PdfiumModule {
  /** Replaced when the memory grows. */
  readonly HEAPU8: Uint8Array
  readonly wasmExports: { malloc(bytes: number): number; free(pointer: number): void }
  _FPDF_LoadPage(document: number, index: number): number
  _FPDF_ClosePage(page: number): void
  _FPDF_GetPageWidth(page: number): number
  _FPDF_GetPageHeight(page: number): number
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, pointer: number, stride: number): number
  _FPDFBitmap_FillRect(bitmap: number, left: number, top: number, width: number, height: number, colour: number): void
  _FPDFBitmap_Destroy(bitmap: number): void
  _FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    turned: number,
    flags: number
  ): void
}

interface Internals {
  readonly module: PdfiumModule
  readonly documentIdx: number
}

/** Grey picture, one byte a pixel, 0 black. */
export interface GreyPage {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Draws on white paper in the library's memory; the answer of `use` must not keep the picture. */
const withDrawn = <A>(module: PdfiumModule, page: number, dotsPerInch: number, use: (picture: GreyPage) => A): A => {
  const width = Math.round(module._FPDF_GetPageWidth(page) * dotsPerInch / 72)
  const height = Math.round(module._FPDF_GetPageHeight(page) * dotsPerInch / 72)
  const pointer = module.wasmExports.malloc(width * height)
  if (pointer === 0) throw new Error(`no memory for a page of ${width} × ${height} dots`)
  try {
    const bitmap = module._FPDFBitmap_CreateEx(width, height, greyFormat, pointer, width)
    module._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white)
    module._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, renderFlags)
    module._FPDFBitmap_Destroy(bitmap)
    return use({ width, height, data: module.HEAPU8.subarray(pointer, pointer + width * height) })
  } finally {
    module.wasmExports.free(pointer)
  }
}

/** Draws one page in grey and answers what `use` makes of the picture, which is valid only meanwhile. */
export const useGreyPage = <A>(document: PDFiumDocument, index: number, dotsPerInch: number, use: (picture: GreyPage) => A): A => {
  const { documentIdx, module } = document as unknown as Internals
  const page = module._FPDF_LoadPage(documentIdx, index)
  if (page === 0) throw new Error(`page ${index} cannot be opened`)
  try {
    return withDrawn(module, page, dotsPerInch, use)
  } finally {
    module._FPDF_ClosePage(page)
  }
}
