/** Who may open what: read this to know it, change it when it changes. Permissions are those of `domain/src/people/MemberRole.ts`. */
export const accessTable: Readonly<Record<string, string>> = {
  "GET /": "person",
  "GET /account": "person",
  "POST /account/sessions/end": "person",
  "GET /account/password": "person",
  "POST /account/password": "person",
  "GET /account/second-factor": "person",
  "POST /account/second-factor": "person",
  "POST /account/second-factor/off": "person",
  "GET /organization": "person",
  "POST /organization": "person",
  "GET /sign-in": "open",
  "POST /sign-in": "open",
  "GET /sign-in/code": "half",
  "POST /sign-in/code": "half",
  "POST /sign-out": "open",
  "POST /language": "open"
}
