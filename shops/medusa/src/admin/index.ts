import { Badge, Button, Container, Heading, Input, Label, Text, toast } from "@medusajs/ui"
import { createElement as el, useEffect, useState } from "react"

type Texts = Readonly<Record<string, string>>

interface Receipt {
  readonly id: string
  readonly kind: string
  readonly number: string
  readonly url: string
  readonly pdf: string
  readonly total: number
}
interface AtOrder {
  readonly receipts: ReadonlyArray<Receipt>
  readonly status: string
}
interface Settings {
  readonly texts: Texts
  /** Whether each secret is filled in. */
  readonly secrets: Readonly<Record<string, boolean>>
}
type Labels = Readonly<Record<string, { readonly label: string; readonly hint: string }>>
interface Labelled extends Settings {
  readonly labels: Labels
}
const noLabels: Labels = {}

const call = async <Answer>(path: string, body?: unknown): Promise<Answer> => {
  const response = await fetch(path, { credentials: "include", ...(body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(String(response.status))
  return await response.json() as Answer
}

const kinds: Texts = {
  "NORMAL SALE": "Sale", "NORMAL REFUND": "Refund", "ADVANCE SALE": "Advance", "ADVANCE REFUND": "Advance given back or closed", "COPY SALE": "Copy", "COPY REFUND": "Copy of a refund"
}

const link = (href: string, text: string) => el("a", { href, target: "_blank", rel: "noreferrer", className: "text-ui-fg-interactive" }, text)

const receiptRow = (receipt: Receipt) =>
  el("div", { key: receipt.id, className: "px-6 py-3" },
    el(Text, { size: "small", weight: "plus" }, `${kinds[receipt.kind] ?? receipt.kind}, ${receipt.total.toFixed(2)} RSD`),
    el(Text, { size: "small", className: "text-ui-fg-subtle" }, receipt.number),
    el("div", { className: "flex gap-x-3 txt-small" }, link(receipt.url, "Verification"), link(receipt.pdf, "PDF")))

/** The receipts of an order, what happened, and what to do. */
const OrderReceipts = ({ data }: { readonly data: { readonly id: string } }) => {
  const [shown, show] = useState<AtOrder | null>(null)
  const read = () => call<AtOrder>(`/admin/overa/orders/${data.id}`).then(show, () => show({ receipts: [], status: "The receipts of this order cannot be read now. Load the page again." }))
  useEffect(() => {
    void read()
    const timer = setInterval(read, 5_000)
    return () => clearInterval(timer)
  }, [data.id])
  const again = () => call(`/admin/overa/orders/${data.id}`, {}).then(() => toast.success("The order is looked at again."), () => toast.error("Not sent. Try again."))
  const status: string = shown?.status ?? ""
  const isWell = status === "Everything is signed."
  return el(Container, { className: "divide-y p-0" },
    el("div", { className: "flex items-center justify-between px-6 py-4" },
      el(Heading, { level: "h2" }, "Fiscal receipts"),
      status === "" ? null : el(Badge, { size: "2xsmall", color: isWell ? "green" : "orange" }, isWell ? "Signed" : "Waits")),
    el("div", { className: "px-6 py-4" },
      el(Text, { size: "small" }, shown === null ? "…" : status === "" ? "No receipt. An order gets one when its payment is captured, and when the receipts are set up under Settings, Fiscal receipts." : status),
      status === "" || isWell ? null : el(Button, { size: "small", variant: "secondary", className: "mt-3", onClick: again }, "Look again now")),
    ...(shown?.receipts ?? []).map(receiptRow))
}

const secretHint = (name: string, secrets: Readonly<Record<string, boolean>>): string => name in secrets ? secrets[name] ? " It is filled in." : " It is not filled in yet." : ""

/** Where the shop is connected. */
const ReceiptSettings = () => {
  const [shown, show] = useState<Labelled | null>(null)
  const [texts, write] = useState<Texts>({})
  const take = (answer: Labelled) => {
    show(answer)
    write(answer.texts)
  }
  const read = () => call<Labelled>("/admin/overa/settings").then(take, () => toast.error("The settings cannot be read now. Load the page again."))
  useEffect(() => void read(), [])
  const save = async () => {
    try {
      await call("/admin/overa/settings", texts)
      await read()
      toast.success("Saved. Orders that waited are sent within a minute.")
    } catch {
      toast.error("Not saved. Try again.")
    }
  }
  return el(Container, { className: "p-0" },
    el("div", { className: "px-6 py-4" },
      el(Heading, { level: "h1" }, "Fiscal receipts"),
      el(Text, { size: "small", className: "text-ui-fg-subtle" }, "An order gets its receipt when its payment is captured. What waits, and why, stands at the order.")),
    el("div", { className: "flex flex-col gap-y-4 px-6 pb-4" },
      ...Object.entries(shown?.labels ?? noLabels).map(([name, { hint, label }]) => {
        return el("div", { key: name },
          el(Label, { htmlFor: name, size: "small", weight: "plus" }, label),
          el(Text, { size: "small", className: "text-ui-fg-subtle mb-1" }, `${hint}${secretHint(name, shown?.secrets ?? {})}`),
          el(Input, { id: name, type: name.endsWith("Secret") ? "password" : "text", autoComplete: "off", value: texts[name] ?? "", onChange: (event: { readonly target: { readonly value: string } }) => write({ ...texts, [name]: event.target.value }) }))
      }),
      el("div", {}, el(Button, { size: "small", onClick: save, disabled: shown === null }, "Save"))))
}

export default {
  widgetModule: { widgets: [{ Component: OrderReceipts, zone: ["order.details.side.after"] }] },
  routeModule: { routes: [{ Component: ReceiptSettings, path: "/settings/overa" }] },
  menuItemModule: { menuItems: [{ label: "Fiscal receipts", path: "/settings/overa" }] },
  formModule: { customFields: {} },
  displayModule: { displays: {} },
  i18nModule: { resources: {} }
}
