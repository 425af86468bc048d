import { openApiDocument, operations } from "@overa/rest-api"
import { readFileSync, writeFileSync } from "node:fs"
import { contractTypes } from "./contractTypes.ts"

const file = new URL("../src/contract.ts", import.meta.url)
const types = contractTypes(openApiDocument(operations, { baseUrl: "https://api.example", tokenUrl: "https://api.example/oauth/token", contactEmail: null }))

// `--check` tests that the committed file equals the one generated from the declarations.
if (process.argv.includes("--check")) {
  if (readFileSync(file, "utf8") !== types) {
    process.stderr.write("client/src/contract.ts is not what the declarations say; run node client/tools/generateContract.ts\n")
    process.exitCode = 1
  }
} else writeFileSync(file, types)
