/** Values that differ between runs, by their form; a run's own texts may have another length. */
const volatile: ReadonlyArray<readonly [RegExp, string]> = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<id>"],
  [/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})/g, "<time>"],
  [/[A-Z0-9]{8}-[A-Za-z0-9]{8}-\d+/g, "<PFR number>"],
  [/http:\/\/127\.0\.0\.1:\d+/g, "<address>"],
  [/\b([a-z]+)-\d{10}\b/g, "$1-<number>"]
]

const settled = (text: string): string => volatile.reduce((said, [pattern, name]) => said.replaceAll(pattern, name), text)

/** The part before `…` in a text that a page shortened. */
const begins = (shown: string, answered: string): boolean =>
  shown.includes("…") ? settled(answered).startsWith(settled(shown.slice(0, shown.indexOf("…"))).replace(/\/[^/<>]*$/, "/")) : settled(shown) === settled(answered)

/**
 * Where an answer differs from the page; empty where it agrees. The page may leave members out; ids, times, receipt numbers and addresses may have
 * other values; a text that the page shortened with `…` must begin in the same way.
 */
export const differences = (shown: unknown, answered: unknown, path = "$"): ReadonlyArray<string> => {
  if (typeof shown === "string") {
    return typeof answered === "string" && begins(shown, answered) ? [] : [`${path}: shown ${shown}, answered ${JSON.stringify(answered)}`]
  }
  if (Array.isArray(shown)) {
    return Array.isArray(answered) && answered.length === shown.length
      ? shown.flatMap((one, index) => differences(one, answered[index], `${path}[${index}]`))
      : [`${path}: shown ${shown.length} elements, answered ${JSON.stringify(answered)}`]
  }
  if (typeof shown === "object" && shown !== null) {
    return typeof answered === "object" && answered !== null
      ? Object.entries(shown).flatMap(([name, one]) => differences(one, (answered as Readonly<Record<string, unknown>>)[name], `${path}.${name}`))
      : [`${path}: shown an object, answered ${JSON.stringify(answered)}`]
  }
  return shown === answered ? [] : [`${path}: shown ${JSON.stringify(shown)}, answered ${JSON.stringify(answered)}`]
}
