import QRCode from "qrcode"
import { el, type Html } from "./el.ts"

/** A QR code as a drawing in the page; four modules of quiet zone. */
export const qrPicture = (text: string, label: string): Html => {
  const { data, size } = QRCode.create(text, { errorCorrectionLevel: "M" }).modules
  const dark = Array.from({ length: size * size }, (_, at) => data[at] === 1 ? `M${at % size + 4} ${Math.floor(at / size) + 4}h1v1h-1z` : "").join("")
  const side = size + 8
  return el("svg", { class: "qr", viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" }, el("path", { d: dark }))
}
