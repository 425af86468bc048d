declare module "svg-to-pdfkit" {
  import type Pdf from "pdfkit"
  interface Options {
    readonly width: number
    readonly height: number
    readonly preserveAspectRatio: string
    readonly assumePt: boolean
    readonly imageCallback: (link: string) => string
    readonly documentCallback: (link: string) => string
    readonly fontCallback: () => string
    readonly warningCallback: (warning: string) => void
  }
  export default function SVGtoPDF(
    document: InstanceType<typeof Pdf>,
    svg: string,
    x: number,
    y: number,
    options: Options
  ): void
}
