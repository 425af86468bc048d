export { type OpenFile, receiptFile } from "./receiptFile.ts"
export { receiptFiles } from "./receiptFiles.ts"
