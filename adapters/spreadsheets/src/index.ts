export * from "./decodeCsvText.ts"
export * from "./readCsv.ts"
export * from "./writeCsv.ts"
export * from "./writeWorkbook.ts"
