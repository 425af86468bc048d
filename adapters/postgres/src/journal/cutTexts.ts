// Of a content an export shows the payments and the reference, of an answer's text the verification link: less than a fifth of their bytes. So the
// server cuts these out where that is certain to give what `decodeLine` reads from the whole text. `split_part` compares bytes and takes
// microseconds; `offset 0` keeps the steps apart, so that each text is read once.

/** Of a longer text nothing is cut out: one statement cuts hundreds of texts and must end in time. */
const mostBytesToCut = 65_536

/** A text that cannot be cut is sent whole if it has at most so many bytes. */
export const mostBytesOfText = 4_096

const texts = ["content", "answer_text"].map((text) => `case when octet_length(o.${text}) <= ${mostBytesToCut} then o.${text} || '' end as ${text}`)

/**
 * The content, cut, or null where it is too long to be sent with others. The list of payments contains no bracket, and `decodeLine` reads it from the
 * first occurrence of the name, where the content has no reference.
 */
export const cutContent = `case when strpos(w.content, '"reference":{') = 0 and octet_length(p.payments) < octet_length(b.payments)
        and octet_length(p.payments) <= ${mostBytesOfText} then '"payments":[' || p.payments || ']'
      when octet_length(w.content) <= ${mostBytesOfText} then w.content end`

/** The same of the answer's text, up to the next quotation mark, which must be there. A link with an escape is read from the whole text. */
export const cutAnswer = `case when starts_with(b.link, ':"') and octet_length(p.link) + 2 < octet_length(b.link)
        and octet_length(p.link) <= ${mostBytesOfText} and strpos(p.link, '\\') = 0 then '"verificationUrl":"' || p.link || '"'
      when octet_length(w.answer_text) <= ${mostBytesOfText} then w.answer_text end`

/** The steps of the two, for rows `o` with `content` and `answer_text`. The last step is no query of its own: the planner would cache its results by the texts. */
export const cutSteps = `cross join lateral (select ${texts.join(", ")} offset 0) w
  cross join lateral (
    select split_part(w.content, '"payments":[', 2) as payments, split_part(w.answer_text, '"verificationUrl"', 2) as link offset 0) b
  cross join lateral (select split_part(b.payments, ']', 1) as payments, split_part(b.link, '"', 2) as link offset 0) p`
