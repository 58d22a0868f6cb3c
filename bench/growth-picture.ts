export interface Figure {
  /** Processor time. */
  milliseconds: number;
  /** Pages that PostgreSQL has read from its buffers. */
  buffers?: number;
  /** The highest resident memory of a command. */
  peakMb?: number;
}

/** What something takes at each size; null where it was not measured, or was refused. */
export type Figures = readonly { what: string; bySize: readonly (Figure | null)[] }[];

const [width, height] = [900, 560];
const [left, right, top, bottom] = [64, 360, 24, 40];
const colours = "#1f5fa8 #b3482a #2c7a4b #7a4fa3 #a07400 #127c86 #8c3b62 #556b2f".split(" ");
const dashes = ["", "6 3", "2 3"];
const rowHeight = 20;

/** A picture of processor time by the number of documents; both axes are logarithmic. */
export function pictureOf(sizes: readonly number[], figures: Figures): string {
  const all = figures.flatMap(({ bySize }) => bySize.flatMap((figure) => figure?.milliseconds ?? []));
  const low = Math.floor(Math.log10(Math.max(0.1, Math.min(...all))));
  const high = Math.ceil(Math.log10(Math.max(...all, 1)));
  const [smallest, largest] = [Math.min(...sizes), Math.max(...sizes)];
  const across = (index: number): number =>
    left +
    (Math.log((sizes[index] ?? smallest) / smallest) / (Math.log(largest / smallest) || 1)) *
      (width - left - right);
  const up = (milliseconds: number): number =>
    height - bottom - ((Math.log10(milliseconds) - low) / (high - low)) * (height - top - bottom);
  const lines = figures.map(({ what, bySize }, row) => {
    const points = bySize.flatMap((figure, index) =>
      figure === null
        ? []
        : [`${across(index).toFixed(1)},${up(Math.max(0.1, figure.milliseconds)).toFixed(1)}`],
    );
    const dash = dashes[Math.floor(row / colours.length) % dashes.length];
    const stroke = `stroke="${colours[row % colours.length]}" stroke-dasharray="${dash}"`;
    const y = top + 8 + row * rowHeight;
    const x = width - right + 24;
    return `<polyline fill="none" stroke-width="2" ${stroke} points="${points.join(" ")}"/>
<line x1="${x}" y1="${y}" x2="${x + 28}" y2="${y}" stroke-width="2" ${stroke}/>
<text x="${x + 36}" y="${y + 4}">${escaped(what)}</text>`;
  });
  const grid = Array.from({ length: high - low + 1 }, (_, step) => {
    const milliseconds = 10 ** (low + step);
    const y = up(milliseconds).toFixed(1);
    return `<line x1="${left}" y1="${y}" x2="${width - right}" y2="${y}" stroke="#ccc"/>
<text x="${left - 8}" y="${Number(y) + 4}" text-anchor="end">${nameOf(milliseconds)}</text>`;
  });
  const below = sizes.map(
    (size, index) =>
      `<text x="${across(index)}" y="${height - 16}" text-anchor="middle">${size.toLocaleString("en-US")}</text>`,
  );
  const size = `viewBox="0 0 ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="12">
<rect width="${width}" height="${height}" fill="#fff"/>
${[...grid, ...below, ...lines].join("\n")}
</svg>
`;
}

function nameOf(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toLocaleString("en-US")} s`;
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
