const xml = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packages = "http://schemas.openxmlformats.org/package/2006"
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const media = "application/vnd.openxmlformats-officedocument.spreadsheetml"

const contentTypes = (sheets: number): string => `${xml}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${media}.sheet.main+xml"/>${
    Array.from({ length: sheets }, (_, at) => `<Override PartName="/${sheetPath(at + 1)}" ContentType="${media}.worksheet+xml"/>`).join("")
  }<Override PartName="/xl/styles.xml" ContentType="${media}.styles+xml"/></Types>`

const relations = (...targets: ReadonlyArray<readonly [string, string]>): string =>
  `${xml}<Relationships xmlns="${packages}/relationships">${
    targets.map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"/>`).join("")
  }</Relationships>`

const attribute = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("\"", "&quot;")

const workbook = (sheetNames: ReadonlyArray<string>): string =>
  `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${
    sheetNames.map((name, at) => `<sheet name="${attribute(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join("")
  }</sheets></workbook>`

/** The path of a sheet, counted from 1. */
export const sheetPath = (number: number): string => `xl/worksheets/sheet${number}.xml`

/** Styles by number: 0 plain, 1 two decimals, 2 four decimals, 3 a title, 4 a day, 5 a day and time. */
const styles = `${xml}<styleSheet xmlns="${main}"><numFmts count="3"><numFmt numFmtId="164" formatCode="#,##0.0000"/><numFmt numFmtId="165" formatCode="dd\\.mm\\.yyyy\\."/><numFmt numFmtId="166" formatCode="dd\\.mm\\.yyyy\\.\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="6"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`

/** The parts of a workbook that do not depend on its rows, by path. Source: ECMA-376 (Office Open XML), Part 1. */
export const workbookParts = (sheetNames: ReadonlyArray<string>): ReadonlyArray<readonly [string, string]> => [
  ["[Content_Types].xml", contentTypes(sheetNames.length)],
  ["_rels/.rels", relations(["officeDocument", "xl/workbook.xml"])],
  ["xl/workbook.xml", workbook(sheetNames)],
  ["xl/_rels/workbook.xml.rels", relations(...sheetNames.map((_, at) => ["worksheet", `worksheets/sheet${at + 1}.xml`] as const), ["styles", "styles.xml"])],
  ["xl/styles.xml", styles]
]
