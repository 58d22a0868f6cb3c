import { accountTimeZone, momentInWords } from "./texts/moments.ts";

/**
 * Rewrites the times in a part of the page in the browser's time zone. The server has written them in the time zone of
 * the reader's account, if they have chosen one, and those stay.
 */
export function localiseTimes(part: ParentNode): void {
  if (accountTimeZone !== "") return;
  for (const element of part.querySelectorAll("time[datetime]")) {
    const moment = element.getAttribute("datetime") ?? "";
    if (Number.isNaN(Date.parse(moment))) continue;
    // The server's text, which names the time zone, becomes the tooltip.
    element.setAttribute("title", element.textContent ?? "");
    element.textContent = momentInWords(moment);
  }
}
