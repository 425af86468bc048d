/** In bytes; a real key set or the description of an issuer has some kilobytes. */
const largestAnswer = 1_048_576

/** The answer with its body read, which the libraries' own fetch would read whatever its size. Rejects when it is larger than a megabyte. */
export const boundedAnswer = async (answer: Response): Promise<Response> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > largestAnswer) throw new Error(`the answer is larger than ${largestAnswer} bytes`)
    chunks.push(chunk)
  }
  const body = chunks.length === 0 ? null : Buffer.concat(chunks)
  return new Response(body, { status: answer.status, headers: answer.headers })
}
