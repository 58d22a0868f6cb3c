/** The value of a metric on a page of metrics, summed over all lines with these labels; 0 without such a line. */
export function metricIn(page: string, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return page
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => wanted.every((text) => line.includes(text)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
}
