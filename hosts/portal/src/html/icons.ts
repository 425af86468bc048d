import { el, type Html } from "./el.ts"

/** Drawings on a square of 24 units, by the part of the portal they stand for. An icon never stands without its word. */
const drawings: Readonly<Record<string, string>> = {
  "/": "M4 11l8-7 8 7v9h-5v-6H9v6H4z",
  "/receipts": "M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6",
  "/issue": "M6 3h12v18l-3-2-3 2-3-2-3 2zM9 10h6M12 7v6",
  "/advances": "M6 3h12v18l-3-2-3 2-3-2-3 2zM12 8v4l2.5 1.5",
  "/elsewhere": "M6 3h12v18l-3-2-3 2-3-2-3 2zM9 11h6M12 8l3 3-3 3",
  "/reports": "M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6",
  "/books": "M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11",
  "/catalogue": "M4 7l8-4 8 4v10l-8 4-8-4zM4 7l8 4 8-4M12 11v10",
  "/setup": "M4 7h9M17 7h3M4 17h3M11 17h9M15 4v6M9 14v6",
  "/webhooks": "M4 12h10M10 8l4 4-4 4M14 5h4a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-4",
  "/credentials": "M14 10a4 4 0 1 1-3-3.9M11 9l9 9M17 15l-2 2M20 18l-2 2",
  "/members": "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20a6 6 0 0 1 12 0M16 5a3 3 0 0 1 0 6M18 14a6 6 0 0 1 3 6",
  "/activity": "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2",
  "/subscription": "M3 6h18v12H3zM3 10h18M7 15h4",
  "/operator": "M3 13h4l3-8 4 14 3-6h4",
  "/operator/organizations": "M4 20V6l8-3 8 3v14zM9 20v-4h6v4M8 9h.01M12 9h.01M16 9h.01M8 13h.01M12 13h.01M16 13h.01",
  "/operator/unknown": "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16.5v.01",
  "/operator/attention": "M12 4L3 20h18zM12 10v4M12 17v.01",
  "/operator/elements": "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM9 12l2 2 4-4",
  "/operator/billing": "M3 6h18v12H3zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  "/operator/installation": "M4 7h9M17 7h3M4 17h3M11 17h9M15 4v6M9 14v6",
  "/operator/activity": "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2"
}

/** The icon of an entry of the menu; nothing where it has none. */
export const menuIcon = (path: string): Html => {
  const drawing = drawings[path]
  return drawing === undefined ? null : el("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": true }, el("path", { d: drawing }))
}
