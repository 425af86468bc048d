import { MonthBookRenderer, RenderingUnavailable } from "@overa/domain"
import { Effect, Layer } from "effect"
import { pdfMonthBook } from "./pdfMonthBook.ts"

/** Draws in this process: a month is a few pages of sums, however many receipts it has. */
export const layer: Layer.Layer<MonthBookRenderer> = Layer.succeed(
  MonthBookRenderer,
  MonthBookRenderer.of({
    pdf: (paper, language) =>
      Effect.tryPromise({ try: () => pdfMonthBook(paper, language), catch: (cause) => new RenderingUnavailable({ cause }) })
  })
)
