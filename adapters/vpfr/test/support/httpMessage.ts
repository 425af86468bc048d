/** An HTTP/1.1 message that arrived whole. */
export interface HttpMessage {
  readonly head: string
  readonly body: Buffer
  /** Bytes of head and body, and of the separator between them. */
  readonly length: number
}

/** An HTTP/1.1 answer as it is sent. */
export const message = (status: string, body: string | Buffer, headers: ReadonlyArray<string> = ["content-type: application/json"]): string =>
  `HTTP/1.1 ${status}\r\n${[...headers, `content-length: ${Buffer.byteLength(body)}`].join("\r\n")}\r\n\r\n${body}`

/** The first message in what a connection has received, or null while it is incomplete. */
export const readMessage = (bytes: Buffer): HttpMessage | null => {
  const end = bytes.indexOf("\r\n\r\n")
  if (end < 0) return null
  const head = bytes.toString("latin1", 0, end)
  const length = end + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
  return bytes.length < length ? null : { head, body: bytes.subarray(end + 4, length), length }
}
