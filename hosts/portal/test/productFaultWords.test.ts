import { readCsv } from "@overa/adapter-spreadsheets"
import { readProductSheet } from "@overa/domain"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { productFaultWords } from "../src/pages/catalogue/productFaultWords.ts"

const header = "sku,name,gtin,unitOfMeasure,grossUnitPrice,taxLabels,isActive"

// Every kind of fault that a file of products can have.
const files: Readonly<Record<string, string>> = {
  "a formula": "s,=1+1,,ком,10,Ђ,true",
  "an empty cell": ",Чај,,ком,10,Ђ,true",
  "a long name": `s,${"ж".repeat(3_000)},,ком,10,Ђ,true`,
  "no price": "s,Чај,,ком,x,Ђ,true",
  "three decimals": "s,Чај,,ком,1.234,Ђ,true",
  "separators of thousands": "s,Чај,,ком,\"1.234,50\",Ђ,true",
  "no activity": "s,Чај,,ком,10,Ђ,perhaps",
  "no label": "s,Чај,,ком,10,,true",
  "a label twice": "s,Чај,,ком,10,Ђ|Ђ,true",
  "a control character": "s,Ч\u0001ај,,ком,10,Ђ,true",
  "a shortened code": "s,Чај,8.60012E+12,ком,10,Ђ,true",
  "more cells": "s,Чај,,ком,10,Ђ,true,more",
  "a thousand cells more": `s${",".repeat(1_000)}x`,
  "an open quotation mark": "s,\"Чај,,ком,10,Ђ,true",
  "no product": ""
}

const messagesOf = async (row: string): Promise<ReadonlyArray<string>> => {
  const read = readProductSheet(await readCsv(`${header}\r\n${row}\r\n`, 1_001))
  if (Result.isSuccess(read) || read.failure._tag !== "RequestFaults") return []
  return read.failure.faults.map(({ message }) => message)
}

describe("a fault of a file of products", () => {
  it.each(Object.entries(files))("is said in Serbian: %s", async (_what, row) => {
    const messages = await messagesOf(row)
    expect(messages).not.toEqual([])
    for (const message of messages) expect(productFaultWords((serbian) => serbian, message)).toMatch(/^[\u0400-\u04FF]/)
  })

  it.each([
    "has a row number that no row can have there; open the file in Excel or LibreOffice and save it again",
    "has a cell whose reference no cell can have there; open the file in Excel or LibreOffice and save it again",
    "has a cell with more than 32767 characters",
    "has, with the rows before it, more than 5000000 characters"
  ])("is said in Serbian, of a workbook: %s", (message) => {
    expect(productFaultWords((serbian) => serbian, message)).toMatch(/^[\u0400-\u04FF]/)
  })
})
