import { defineMiddlewares } from "@medusajs/framework/http"

/** A webhook's signature is over the bytes as they were received. */
export default defineMiddlewares({ routes: [{ matcher: "/overa/webhooks", method: ["POST"], bodyParser: { preserveRawBody: true, sizeLimit: "64kb" } }] })
