import type { BrandingLogo } from "@overa/domain"

interface Size {
  readonly width: number
  readonly height: number
}

const svgSize = (bytes: Uint8Array): Size => {
  const box = /\sviewBox\s*=\s*["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(new TextDecoder().decode(bytes))
  const [width, height] = [Number(box?.[1]), Number(box?.[2])]
  return width > 0 && height > 0 ? { width, height } : { width: 1, height: 1 }
}

const pngSize = (bytes: Uint8Array): Size => {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

/** Reads the segments up to the start of frame, which carries the size; the branding's check has made sure that there is one. */
const jpegSize = (bytes: Uint8Array): Size => {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  let offset = 2
  while (offset + 9 < bytes.length) {
    const marker = view.getUint8(offset + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: view.getUint16(offset + 7), height: view.getUint16(offset + 5) }
    offset += 2 + view.getUint16(offset + 2)
  }
  return { width: 1, height: 1 }
}

/** The logo at the largest size that fits the room, its proportions kept. */
export const logoSize = ({ bytes, mediaType }: BrandingLogo, room: Size): Size => {
  const own = mediaType === "image/svg+xml"
    ? svgSize(bytes)
    : mediaType === "image/png"
    ? pngSize(bytes)
    : jpegSize(bytes)
  const factor = Math.min(room.width / own.width, room.height / own.height)
  return { width: own.width * factor, height: own.height * factor }
}
