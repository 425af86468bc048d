interface Manifest {
  readonly name: string
  readonly engines?: { readonly node?: string | undefined }
}
export declare const libraryGuard: (manifest: Manifest) => string
export declare const commandGuard: (manifest: Manifest) => string
