export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** The calls of a generated client, each with the generator's own types. */
export interface Calls {
  readonly sale: (key: string, quantity: number) => Promise<Answer & { readonly id: string; readonly number: string }>
  readonly wrongSale: (key: string) => Promise<Answer>
  readonly refund: (key: string, original: string) => Promise<Answer>
  readonly pdf: (id: string) => Promise<Uint8Array>
}

export const place = {
  baseUrl: process.env["BASE"] ?? "",
  token: process.env["TOKEN"] ?? "",
  taxpayerId: process.env["TAXPAYER"] ?? "",
  businessPremiseId: process.env["PREMISE"] ?? "",
  label: process.env["LABEL"] ?? ""
}

/** An integrator's first hour: issue, send again, be refused, refund, fetch the paper. */
export const run = async (name: string, calls: Calls): Promise<void> => {
  const key = `${name}-${Date.now()}-first-sale`
  const issued = await calls.sale(key, 2)
  const replayed = await calls.sale(key, 2)
  const wrong = await calls.wrongSale(`${key}-wrong`)
  const refunded = await calls.refund(`${key}-refund`, issued.id)
  const pdf = await calls.pdf(issued.id)
  process.stdout.write(JSON.stringify({
    statuses: [issued.status, replayed.status, wrong.status, refunded.status],
    same: issued.id === replayed.id,
    number: issued.number,
    pdf: new TextDecoder().decode(pdf.slice(0, 5))
  }))
}
