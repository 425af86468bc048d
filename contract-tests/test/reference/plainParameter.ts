/** The store's typed parameters in the form of the `pg` driver. */
export const plainParameter = (parameter: unknown): unknown => {
  const { oid, value } = parameter as { readonly oid: number; readonly value: unknown }
  const instant = (at: unknown) => (typeof at === "number" ? new Date(at) : at)
  if (oid === 1184) return instant(value)
  return oid === 1185 && Array.isArray(value) ? value.map(instant) : value
}
