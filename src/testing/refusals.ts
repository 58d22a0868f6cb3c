/** Whether a body has a shape that DocumentCloud's clients read: a detail, or messages nested like the request. */
export function isRefusal(text: string): boolean {
  if (text === "") return false;
  const said = JSON.parse(text) as unknown;
  if (typeof said !== "object" || said === null) return false;
  for (const name of ["detail", "error"] as const)
    if (name in said) return typeof (said as Record<string, unknown>)[name] === "string";
  return areFaults(said);
}

function areFaults(said: unknown): boolean {
  if (typeof said !== "object" || said === null) return false;
  if (!Array.isArray(said)) return Object.values(said).every(areFaults);
  return said.every((one: unknown) => typeof one === "string") || said.every(areFaults);
}
