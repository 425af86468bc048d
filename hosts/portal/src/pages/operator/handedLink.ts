import { all, el, type Html } from "../../html/el.ts"
import type { Visit } from "../../http/Visit.ts"

/** An invitation's link, where no mail server takes it to the invited person. */
export const handedLink = ({ say }: Visit, email: string, link: string): Html =>
  all(
    el("p", {}, el("strong", {}, email)),
    el("p", {}, say(
      "Ова инсталација не шаље е-пошту. Предајте линк лично особи коју познајете: ко га отвори, постаје члан и власник налога са том адресом. Приказује се само сада, важи једном и 72 сата.",
      "This installation sends no e-mail. Hand the link over to the person yourself, whom you know: whoever opens it becomes the member and the owner of the account with that address. It is shown only now and works once, for 72 hours."
    )),
    el("p", {}, el("span", { class: "secret" }, link))
  )
