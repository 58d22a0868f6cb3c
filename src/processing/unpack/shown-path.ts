const maxPath = 1000;

/** The path as people see it: with slashes, without steps upwards and characters that no name has. */
export function shownPath(sent: string): string {
  const names = withoutControls(sent)
    .split(/[\\/]/)
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "." && name !== "..");
  const whole = Array.from(names.join("/"));
  return whole.length === 0 ? "unnamed" : whole.slice(-maxPath).join("");
}

/** A text as one name in a path. */
export function shownName(text: string): string {
  return withoutControls(text).replaceAll(/[\\/]/g, "_").trim().slice(0, 200).toWellFormed();
}

function withoutControls(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.toWellFormed().replaceAll(/[\u0000-\u001f\u007f]/g, "");
}
