/** A dropped file, or a pasted text. */
export interface GivenFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Files that are read one after the other, as often as they are asked for. */
export type FileSource = () => AsyncIterable<GivenFile>

/** Reads the QR code of a picture; null where there is none. */
export type ReadQrCode = (bytes: Uint8Array) => Promise<string | null>
