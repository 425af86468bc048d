import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { XMLParser } from "fast-xml-parser"
import { nbsNamespace, type NbsLogin } from "./soapMessages.ts"

/** A company the stand-in knows. */
export interface StandInCompany {
  readonly taxIdentifier: string
  readonly registrationNumber: string
  readonly name: string
  readonly address: string
  readonly city: string
}

export interface RunningStandIn {
  readonly url: string
  readonly questions: () => number
  readonly stop: () => Promise<void>
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

// Two accounts per company, as real companies have: a client that does not merge them fails here.
const rowsOf = (company: StandInCompany): string =>
  ["160", "265"].map((bank, index) =>
    `<CompanyAccount><Account>${bank}-0000000000${index}-01</Account><BankCode>${bank}</BankCode>` +
    `<CompanyName>${escaped(company.name)}</CompanyName>` +
    `<NationalIdentificationNumber>${company.registrationNumber}</NationalIdentificationNumber>` +
    `<TaxIdentificationNumber>${company.taxIdentifier}</TaxIdentificationNumber>` +
    `<Address>${escaped(company.address)}</Address><City>${escaped(company.city)}</City></CompanyAccount>`
  ).join("")

const envelope = (body: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>${body}</soap:Body></soap:Envelope>`

const answer = (rows: string): string =>
  envelope(
    `<GetCompanyAccountResponse xmlns="${nbsNamespace}"><GetCompanyAccountResult>` +
      escaped(`<CompanyAccountDataSet>${rows}</CompanyAccountDataSet>`) +
      `</GetCompanyAccountResult></GetCompanyAccountResponse>`
  )

const parser = new XMLParser({ ignoreAttributes: true, removeNSPrefix: true, parseTagValue: false })

interface Question {
  readonly Envelope?: { readonly Header?: Record<string, never>; readonly Body?: Record<string, never> }
}

/** The parser throws for text that only begins as XML; such a request asks nothing. */
const readQuestion = (body: string): Question => {
  try {
    return parser.parse(body) as Question
  } catch {
    return {}
  }
}

const answerTo = (body: string, login: NbsLogin, companies: ReadonlyArray<StandInCompany>): { readonly status: number; readonly xml: string } => {
  const { Envelope } = readQuestion(body)
  const header = Envelope?.Header?.["AuthenticationHeader"] as Record<string, string> | undefined
  const question = Envelope?.Body?.["GetCompanyAccount"] as Record<string, string> | undefined
  const isKnown = header?.["UserName"] === login.userName && header["Password"] === login.password && header["LicenceID"] === login.licenceId
  if (question === undefined || !isKnown) {
    return { status: 500, xml: envelope("<soap:Fault><faultcode>soap:Client</faultcode><faultstring>not authorized</faultstring></soap:Fault>") }
  }
  const asked = question["taxIdentificationNumber"]
  return { status: 200, xml: answer(companies.filter((company) => company.taxIdentifier === asked).map(rowsOf).join("")) }
}

/** A stand-in for the register on the loopback: the same SOAP, a few companies, the login checked. For the sandbox and tests. */
export const startStandIn = (
  login: NbsLogin,
  companies: ReadonlyArray<StandInCompany>,
  options: { readonly port?: number; readonly delayMillis?: number } = {}
): Promise<RunningStandIn> => {
  let questions = 0
  const server = createServer((incoming, outgoing) => {
    const chunks: Array<Buffer> = []
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
    incoming.on("end", () => {
      questions += 1
      const { status, xml } = answerTo(Buffer.concat(chunks).toString("utf8"), login, companies)
      setTimeout(() => outgoing.writeHead(status, { "content-type": "text/xml; charset=utf-8" }).end(xml), options.delayMillis ?? 0)
    })
  })
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(options.port ?? 0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      resolve({
        url: `http://127.0.0.1:${port}/CommunicationOfficeService1_0/CompanyAccountXmlService.asmx`,
        questions: () => questions,
        stop: () =>
          new Promise((stopped) => {
            server.closeAllConnections()
            server.close(() => stopped())
          })
      })
    })
  })
}
