import { randomUUID } from "node:crypto"
import type { PortalClient } from "./PortalClient.ts"

/** What a form with a file sends. */
export interface FileForm {
  readonly typed: Readonly<Record<string, string>>
  /** Null where no file was chosen: a browser sends an empty one. */
  readonly file: Uint8Array | null
  readonly language?: "en" | "sr"
}

/** The answer to a form that may have a file. */
export interface FileAnswer {
  readonly status: number
  readonly location: string
  readonly text: string
}

/** Sends a form with a file field as a browser does, without following the redirect. */
export const sendFile = async (client: PortalClient, session: string, path: string, { file, language = "sr", typed }: FileForm): Promise<FileAnswer> => {
  const form = new FormData()
  for (const [name, value] of Object.entries({ proof: await client.proof(session), form: randomUUID(), ...typed })) form.append(name, value)
  form.append("file", new Blob(file === null ? [] : [new Uint8Array(file)]), file === null ? "" : "element.pfx")
  const headers = { cookie: `overa-session=${session}`, origin: client.origin, "accept-language": language }
  const answer = await fetch(client.origin + path, { method: "POST", redirect: "manual", headers, body: form })
  return { status: answer.status, location: answer.headers.get("location") ?? "", text: await answer.text() }
}
