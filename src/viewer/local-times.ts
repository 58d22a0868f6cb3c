/** Rewrites the times in a part of the page in the reader's language and time zone. */
export function localiseTimes(part: ParentNode): void {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeStyle: "short" });
  for (const element of part.querySelectorAll("time[datetime]")) {
    const moment = new Date(element.getAttribute("datetime") ?? "");
    if (Number.isNaN(moment.getTime())) continue;
    // The server's text, which names the time zone, becomes the tooltip.
    element.setAttribute("title", element.textContent ?? "");
    element.textContent = format.format(moment);
  }
}
