import { describe, expect, it } from "vitest"
import { inAscii } from "./bundleHosts.ts"

describe("a bundle in ASCII", () => {
  it("says what the program says: texts, templates, classes of expressions, characters of two units", () => {
    const program = "['Љубав', `„${'ш'}” \\\\ж`, 'шђ!'.replace(/[а-џ]/g, 'x'), /^[😀-😂]$/u.test('😁'), ({ мера: 1 }).мера]"
    const ascii = inAscii(program)
    expect(ascii).toMatch(/^[\0-\x7F]+$/)
    expect([ascii, program].map((text) => new Function(`return ${text}`)() as unknown)).toEqual([...Array(2)].map(() => ["Љубав", "„ш” \\ж", "xx!", true, 1]))
  })

  it.each(["/\\–/", "'\\\\\\ж'", "String.raw`ж`"])("is refused where an escape would say something else: %s", (program) => {
    expect(() => inAscii(program)).toThrow("cannot be written in ASCII")
  })
})
