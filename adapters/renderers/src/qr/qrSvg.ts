import { type QrMatrix, qrMatrix, quietZone } from "./qrMatrix.ts"

/** Each run of dark modules in a row as one rectangle of the path. */
const pathOf = ({ modules, size }: QrMatrix): string => {
  let path = ""
  for (let y = 0; y < size; y++) {
    let x = 0
    while (x < size) {
      let end = x
      while (end < size && modules[y * size + end] === 1) end++
      if (end > x) path += `M${x + quietZone} ${y + quietZone}h${end - x}v1h-${end - x}z`
      x = end + 1
    }
  }
  return path
}

/** The verification link as a picture; 47 mm over the modules when it is printed at its own size (V-PFR §7.3). */
export const qrSvg = (verificationUrl: string): string => {
  const matrix = qrMatrix(verificationUrl)
  const side = matrix.size + 2 * quietZone
  const printed = (47 * side / matrix.size).toFixed(2)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${printed}mm" height="${printed}mm" viewBox="0 0 ${side} ${side}" ` +
    `role="img" shape-rendering="crispEdges"><title>QR код за проверу рачуна</title>` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${pathOf(matrix)}"/></svg>\n`
}
