const xml = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packages = "http://schemas.openxmlformats.org/package/2006"
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const media = "application/vnd.openxmlformats-officedocument.spreadsheetml"

const contentTypes = `${xml}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${media}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${media}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${media}.styles+xml"/></Types>`

const relations = (...targets: ReadonlyArray<readonly [string, string]>): string =>
  `${xml}<Relationships xmlns="${packages}/relationships">${
    targets.map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"/>`).join("")
  }</Relationships>`

const workbook = (sheetName: string): string =>
  `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${sheetName}" sheetId="1" r:id="rId1"/></sheets></workbook>`

/** Styles by number: 0 plain, 1 two decimals, 2 four decimals, 3 a title. */
const styles = `${xml}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="#,##0.0000"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>`

/** The parts of a workbook that do not depend on its rows, by path. Source: ECMA-376 (Office Open XML), Part 1. */
export const workbookParts = (sheetName: string): ReadonlyArray<readonly [string, string]> => [
  ["[Content_Types].xml", contentTypes],
  ["_rels/.rels", relations(["officeDocument", "xl/workbook.xml"])],
  ["xl/workbook.xml", workbook(sheetName)],
  ["xl/_rels/workbook.xml.rels", relations(["worksheet", "worksheets/sheet1.xml"], ["styles", "styles.xml"])],
  ["xl/styles.xml", styles]
]
