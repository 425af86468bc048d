/** So many codes a person is given. */
export const recoveryCodeCount = 10

/** Digits and letters without those that are read for another (Crockford's Base32): 16 characters are 80 bits. */
export const recoveryCodeCharacters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
export const recoveryCodeLength = 16

/** A code as it is shown: four groups of four. */
export const groupedRecoveryCode = (code: string): string => code.match(/.{1,4}/g)?.join("-") ?? ""

/** What somebody typed as the code that is stored: letters of either case, with or without dashes and spaces, O for 0, I and L for 1; null for anything else. */
export const readRecoveryCode = (typed: string): string | null => {
  if (typed.length > 100) return null
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1")
  return code.length === recoveryCodeLength && [...code].every((character) => recoveryCodeCharacters.includes(character)) ? code : null
}
