declare module "saxen" {
  /** The events of an XML text; see the package's README. */
  export class Parser {
    on(event: "openTag", hook: (name: string, attributes: () => Readonly<Record<string, string>>, decode: (text: string) => string) => void): this
    on(event: "closeTag", hook: (name: string) => void): this
    on(event: "text", hook: (text: string, decode: (text: string) => string) => void): this
    on(event: "cdata", hook: (text: string) => void): this
    on(event: "error", hook: (error: Error) => void): this
    parse(xml: string): unknown
  }
}
