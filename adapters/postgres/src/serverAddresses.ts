import { Redacted } from "effect"

/**
 * The addresses in one URL that names several servers, `postgres://user:password@one:5432,two:5432/database`, in libpq's form. The credentials and
 * the database are the same on all.
 */
export const serverAddresses = (url: Redacted.Redacted): ReadonlyArray<Redacted.Redacted> => {
  const [, before, hosts, after] = /^([a-z]+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/s.exec(Redacted.value(url)) ?? []
  if (before === undefined || hosts === undefined || !hosts.includes(",")) return [url]
  return hosts.split(",").filter((host) => host !== "").map((host) => Redacted.make(`${before}${host}${after ?? ""}`))
}
