declare module "pngjs" {
  export const PNG: {
    readonly sync: {
      readonly read: (bytes: Uint8Array) => { readonly width: number; readonly height: number; readonly data: Uint8Array }
      readonly write: (picture: { readonly width: number; readonly height: number; readonly data: Uint8Array }, options: { readonly colorType: number }) => Uint8Array
    }
  }
}
