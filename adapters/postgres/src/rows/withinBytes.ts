/** The bytes of all rows before a row, in an order; null for the first row. */
export const bytesBefore = (size: string, order: string): string => `sum(${size}) over (order by ${order} rows between unbounded preceding and 1 preceding)`

/** Of rows with their `bytesBefore`: the first ones, up to the one at which so many bytes are exceeded. There is always a first one, however large. */
export const isWithinBytes = (before: string, bytes: number | string): string => `(${before} is null or ${before} < ${bytes})`
