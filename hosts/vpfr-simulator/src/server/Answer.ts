import type { ServerResponse } from "node:http"

/** A complete HTTP answer. */
export interface Answer {
  readonly status: number
  readonly contentType: string | null
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export const jsonAnswer = (status: number, body: string): Answer => ({ status, contentType: "application/json; charset=utf-8", body })

export const htmlAnswer = (status: number, body: string): Answer => ({ status, contentType: "text/html; charset=utf-8", body })

/** The classic ASP.NET error body (V-PFR §1.7). */
export const messageAnswer = (status: number, message: string): Answer => jsonAnswer(status, JSON.stringify({ Message: message }))

/** The web server's own error page, the reason inside `<h3>` (V-PFR §1.7). */
export const serverPage = (status: number, reason: string): Answer =>
  htmlAnswer(
    status,
    `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">\r\n<html>\r\n<head><title>СИМУЛАТОР ${status}</title></head>\r\n` +
      `<body>\r\n<h2>${status} - СИМУЛАТОР ПФР</h2>\r\n<h3>${reason}</h3>\r\n</body>\r\n</html>\r\n`
  )

export const headOf = (answer: Answer): Record<string, string | number> => ({
  ...(answer.contentType === null ? {} : { "Content-Type": answer.contentType }),
  ...(answer.status === 204 ? {} : { "Content-Length": Buffer.byteLength(answer.body) }),
  ...answer.headers
})

export const send = (response: ServerResponse, answer: Answer): void => {
  response.writeHead(answer.status, headOf(answer))
  response.end(answer.status === 204 ? undefined : answer.body)
}
