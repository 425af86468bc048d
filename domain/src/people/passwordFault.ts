/** Bounds in code points. */
export const passwordLimits = { shortest: 12, longest: 200 } as const

/** Why a password is not accepted. */
export type PasswordFault = "TOO_SHORT" | "TOO_LONG" | "LIKE_EMAIL" | "TOO_SIMPLE" | "SAME_AS_BEFORE"

const sequence = "abcdefghijklmnopqrstuvwxyz01234567890qwertyuiopasdfghjklzxcvbnm1234567890"

// Words that people repeat when a short password was refused.
const common = /^(?:password|lozinka|sifra|welcome|admin|overa|letmein|iloveyou|qwerty|azerty|asdf)[\d\W_]*$/

const isSimple = (password: string): boolean => {
  const text = password.toLowerCase()
  return new Set(text).size < 5 || sequence.includes(text) || common.test(text)
}

/**
 * What is wrong with a new password, or null. Length is what protects: there are no rules about kinds of characters (NIST SP 800-63B §3.1.1.2), and
 * the most common passwords are refused.
 */
export const passwordFault = (password: string, email: string): PasswordFault | null => {
  const length = [...password].length
  if (length < passwordLimits.shortest) return "TOO_SHORT"
  if (length > passwordLimits.longest) return "TOO_LONG"
  const [name = ""] = email.split("@")
  if (name.length >= 4 && password.toLowerCase().includes(name.toLowerCase())) return "LIKE_EMAIL"
  return isSimple(password) ? "TOO_SIMPLE" : null
}
