import { type SharedServiceName, sharedServiceNames } from "../endpoints/sharedServices.ts"
import type { EndpointName } from "../faults/Fault.ts"

export type Route =
  | { readonly endpoint: Exclude<EndpointName, "search"> }
  | { readonly endpoint: "search"; readonly requestId: string }
  | { readonly endpoint: "verification" | "specifications" }
  | { readonly endpoint: "shared"; readonly service: SharedServiceName }
  | { readonly endpoint: "none"; readonly status: 404 | 405 }

const apiPaths: Readonly<Record<string, { readonly method: string; readonly endpoint: Exclude<EndpointName, "search"> }>> = {
  "/api/v3/invoices": { method: "POST", endpoint: "invoices" },
  "/api/v3/status": { method: "GET", endpoint: "status" },
  "/api/v3/environment-parameters": { method: "GET", endpoint: "environment-parameters" },
  "/api/v3/attention": { method: "GET", endpoint: "attention" }
}

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Which endpoint a request is for (V-PFR §1.1). */
export const routeOf = (method: string, url: string): Route => {
  const path = (url.split("?")[0] ?? "").toLowerCase()
  const known = apiPaths[path]
  if (known !== undefined) return known.method === method ? { endpoint: known.endpoint } : { endpoint: "none", status: 405 }
  const service = sharedServiceNames.find((name) => path === `/api/v3/${name}`)
  if (service !== undefined) return method === "GET" ? { endpoint: "shared", service } : { endpoint: "none", status: 405 }
  const search = /^\/api\/v3\/invoices\/([^/]+)$/i.exec(url.split("?")[0] ?? "")
  const requestId = search === null ? null : decoded(search[1] ?? "")
  if (requestId !== null) return method === "GET" ? { endpoint: "search", requestId } : { endpoint: "none", status: 405 }
  if (path === "/v/" || path === "/v") return method === "GET" ? { endpoint: "verification" } : { endpoint: "none", status: 405 }
  if (path === "/specifications") return method === "POST" ? { endpoint: "specifications" } : { endpoint: "none", status: 405 }
  return { endpoint: "none", status: 404 }
}

/** The calls of the public check, which need no certificate and are answered on plain HTTP too. */
export type PublicRoute = Extract<Route, { readonly endpoint: "verification" | "specifications" }>

export const isPublic = (route: Route): route is PublicRoute =>
  route.endpoint === "verification" || route.endpoint === "specifications"
