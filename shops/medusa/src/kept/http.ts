import type { Container } from "../kept/Database.ts"

/** A request and an answer of Medusa's, as far as the plugin needs them. */
export interface Request {
  readonly scope: Container
  readonly params: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: unknown
  readonly rawBody?: Buffer
}
export interface Response {
  readonly status: (code: number) => Response
  readonly json: (body: unknown) => void
  readonly setHeader: (name: string, value: string) => void
  readonly end: (body?: Uint8Array) => void
}
