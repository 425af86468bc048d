import { Buffer } from "node:buffer"
import type { CaseResult } from "./BookCase.ts"
import type { Step } from "./Installation.ts"
import type { Approved, Sample } from "./Sample.ts"
import { sampleFaults } from "./sampleFaults.ts"

export interface Outcome {
  readonly at: string
  readonly signer: string
  readonly runtime: Readonly<Record<string, unknown>>
  readonly approved: Approved
  readonly cases: ReadonlyArray<CaseResult>
  readonly samples: ReadonlyArray<Sample>
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\"", "&quot;")

/** The look of every page of the folder. */
export const style = `:root{color-scheme:light}body{font:14px/1.45 "Liberation Sans",Arial,sans-serif;max-width:62rem;margin:1.5rem auto;padding:0 1rem;color:#1b1b1b}
h1{font-size:1.7rem}h2{font-size:1.25rem;margin-top:2rem;border-bottom:2px solid #ccc}h3{font-size:1.05rem;margin-bottom:.3rem}
table{border-collapse:collapse;width:100%}td,th{border:1px solid #bbb;padding:.3rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}
.PASSED{color:#0a6b2d}.FAILED{color:#b00020;font-weight:bold}.NOT_APPLICABLE{color:#555}
pre{font:11px/1.25 "Liberation Mono",monospace;background:#f5f5f5;padding:.6rem;white-space:pre-wrap;overflow-wrap:anywhere;margin:.3rem 0}
.papers{display:flex;flex-wrap:wrap;gap:10px;align-items:flex-start}.papers figure{margin:0}.papers img{border:1px solid #999;max-height:440px;max-width:310px}
.steps{table-layout:fixed}.steps th:nth-child(1){width:24%}.steps th:nth-child(3){width:19%}.told{display:grid;grid-template-columns:23rem 1fr;gap:10px}.all{break-before:page}.all+.sample{break-before:auto}h4{margin:.5rem 0 .1rem}
figcaption{font-size:11px;color:#444}.sample,.case{break-inside:auto}.sample{break-before:page}h3,figure,tr{break-inside:avoid}h3{break-after:avoid}
@page{size:A4;margin:14mm}@media print{body{margin:0;max-width:none;padding:0;font-size:12px}.papers img{max-height:270px}pre{font-size:9px}.told{grid-template-columns:16rem 1fr}}`

const words: Readonly<Record<CaseResult["status"], string>> = { PASSED: "прошао", FAILED: "није прошао", NOT_APPLICABLE: "не примењује се" }

const stepHtml = ({ answer, body, request, status }: Step): string =>
  `<tr><td>${escaped(request)}</td><td>${body === null ? "" : `<pre>${escaped(JSON.stringify(body))}</pre>`}</td><td>${status} ${escaped(answer)}</td></tr>`

const caseHtml = ({ asked, checks, page, receipts, remark, status, steps, title }: CaseResult, index: number): string =>
  `<section class="case"><h3 id="c${index + 1}">${index + 1}. ${escaped(title)} (стр. ${page}): <span class="${status}">${words[status]}</span></h3><p>${escaped(asked)}.</p>${
    remark === null ? "" : `<p><em>${escaped(remark)}.</em></p>`
  }${checks.length === 0 ? "" : `<ul>${checks.map(({ holds, what }) => `<li class="${holds ? "PASSED" : "FAILED"}">${holds ? "✓" : "✗"} ${escaped(what)}</li>`).join("")}</ul>`}${
    receipts.length === 0 ? "" : `<p>Рачуни: ${receipts.map(({ printed }) => escaped(printed.invoiceNumber)).join(", ")}</p>`
  }${steps.length === 0 ? "" : `<details open><summary>Захтеви и одговори</summary><table class="steps"><tr><th>Захтев</th><th>Тело</th><th>Одговор</th></tr>${steps.map(stepHtml).join("")}</table></details>`}</section>`

/** A picture's file, next to the report. */
export const pictureName = ({ number, printed }: Sample, format: string): string => `pictures/${String(number ?? printed.invoiceNumber).padStart(2, "0")}-${format}.png`

const sampleHtml = (sample: Sample, approved: Approved): string => {
  const faults = sampleFaults(sample, approved)
  const { asked, document, number, pictures, printed, sent, text, title } = sample
  return `<section class="sample"><h3 id="s${number}">${number}. ${escaped(title)}: <span class="${faults.length === 0 ? "PASSED" : "FAILED"}">${faults.length === 0 ? "без грешака" : "има грешака"}</span></h3>${
    faults.length === 0 ? "" : `<ul>${faults.map(({ found, place }) => `<li class="FAILED">${escaped(place)}) ${escaped(found)}</li>`).join("")}</ul>`
  }<p>${escaped(printed.invoiceNumber)}, <a href="${escaped(document.pfr.verificationUrl)}">провера</a></p><div class="papers">${
    pictures.map(({ format }) => `<figure><img src="${pictureName(sample, format)}" alt="${escaped(`${title}, ${format}`)}"><figcaption>${format}</figcaption></figure>`).join("")
  }</div><div class="told"><div><h4>Журнал</h4><pre>${escaped(text.trimEnd())}</pre></div><div><h4>Захтев продавнице</h4><pre>${escaped(JSON.stringify(asked))}</pre>${
    sent === null ? "" : `<h4>Захтев ПФР-у</h4><pre>${escaped(JSON.stringify(sent))}</pre>`
  }</div></div></section>`
}

const factRows = ({ at, runtime, signer }: Outcome): string =>
  [
    ["Проба", at],
    ["Потписник", signer],
    ["Произвођач", runtime["manufacturer"]],
    ["Производ", runtime["productName"]],
    ["Верзија софтвера", runtime["softwareVersion"]],
    ["Издање", runtime["buildCommit"]],
    ["ЕСИР број (ИБ/верзија)", runtime["esirNumber"] === "" ? "још није додељен" : runtime["esirNumber"]]
  ].map(([name, value]) => `<tr><th>${escaped(String(name))}</th><td>${escaped(String(value))}</td></tr>`).join("")

/** The report in Serbian: what the test book asks, what was done, what was signed and how it looks. */
export const reportHtml = (outcome: Outcome): string => {
  const { approved, cases, samples } = outcome
  const count = (status: CaseResult["status"]) => cases.filter((result) => result.status === status).length
  const rows = cases.map(({ page, status, title }, index) => `<tr><td>${index + 1}</td><td>${page}</td><td><a href="#c${index + 1}">${escaped(title)}</a></td><td class="${status}">${words[status]}</td></tr>`)
  return `<!doctype html><html lang="sr-Cyrl"><head><meta charset="utf-8"><title>Провера ЕСИР-а по књизи за ручно тестирање</title><style>${style}</style></head><body>
<h1>Провера ЕСИР-а по књизи за ручно тестирање</h1>
<p>По документу Пореске управе „Техничко упутство за ручно тестирање ЕСИР производа“ 1.1 од 26.05.2022. Случајеви нису преписани: наведена је страна и шта се тражи, у кратком.</p>
<table>${factRows(outcome)}</table>
<p><strong>${count("PASSED")} прошло, ${count("FAILED")} није прошло, ${count("NOT_APPLICABLE")} се не примењује.</strong></p>
<h2>Случајеви</h2><table><tr><th>Бр.</th><th>Стр.</th><th>Случај</th><th>Исход</th></tr>${rows.join("")}</table>
${cases.map(caseHtml).join("")}
<h2 class="all">Петнаест узорака</h2>${samples.map((sample) => sampleHtml(sample, approved)).join("")}
</body></html>`
}

export const pictureFiles = (samples: ReadonlyArray<Sample>): ReadonlyArray<readonly [name: string, bytes: Uint8Array]> =>
  samples.flatMap((sample) => sample.pictures.map(({ format, png }) => [pictureName(sample, format), Buffer.from(png)] as const))
