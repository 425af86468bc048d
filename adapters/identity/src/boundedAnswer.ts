/** In bytes; a real key set or issuer description has a few kilobytes. */
const largestAnswer = 1_048_576

/** The answer with its body read. The libraries' own fetch would read a body of any size; this one rejects above one megabyte. */
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
