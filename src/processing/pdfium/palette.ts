/** Four bytes a pixel, row by row without gaps: blue, green, red and an unused one. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/** An image in at most 256 colours. */
export interface PaletteImage {
  /** Red, green and blue of each colour. */
  readonly colors: number[];
  /** The index of each pixel's colour. */
  readonly indexes: Uint8Array;
}

const maxColors = 256;

/**
 * Reduces an image to at most 256 colours. Most pages are black on white with greys, and have few enough colours to
 * keep all of them. The colours of other pages are divided into 256 groups: the group with the largest squared error is
 * always split at its mean, along the channel with the widest spread. Each pixel gets the mean of its group, since a
 * search for a nearer colour gained less than 0.1 dB. There is no dithering, because it blurs text and doubles the size
 * of the file.
 */
export function toPalette(pixels: Pixels): PaletteImage {
  const { buffer, byteOffset, byteLength } = pixels.bytes;
  const values = new Uint32Array(buffer, byteOffset, byteLength >> 2);
  return exactPalette(values) ?? groupedPalette(values);
}

const hashSlots = 1024;

/** Null if there are too many colours. */
function exactPalette(values: Uint32Array): PaletteImage | null {
  const keys = new Int32Array(hashSlots).fill(-1);
  const found = new Uint8Array(hashSlots);
  const colors: number[] = [];
  const indexes = new Uint8Array(values.length);
  let lastColor = -1;
  let lastIndex = 0;
  for (let position = 0; position < values.length; position++) {
    const color = (values[position] ?? 0) & 0xffffff;
    if (color !== lastColor) {
      let slot = (color ^ (color >> 7) ^ (color >> 14)) & (hashSlots - 1);
      while (keys[slot] !== color && keys[slot] !== -1) slot = (slot + 1) & (hashSlots - 1);
      if (keys[slot] === -1) {
        if (colors.length === maxColors * 3) return null;
        keys[slot] = color;
        found[slot] = colors.length / 3;
        colors.push(color >> 16, (color >> 8) & 0xff, color & 0xff);
      }
      lastColor = color;
      lastIndex = found[slot] ?? 0;
    }
    indexes[position] = lastIndex;
  }
  return { colors, indexes };
}

const binCount = 1 << 16;

/** Five bits of red, six of green, five of blue. */
const binOf = (value: number): number =>
  ((value >> 8) & 0xf800) | ((value >> 5) & 0x07e0) | ((value >> 3) & 0x1f);

/** For each bin of similar colours: the number of pixels, and the sums of their channels. */
interface Bins {
  readonly counts: Uint32Array;
  readonly reds: Float64Array;
  readonly greens: Float64Array;
  readonly blues: Float64Array;
}

function groupedPalette(values: Uint32Array): PaletteImage {
  const bins = countBins(values);
  const used = Uint16Array.from(bins.counts.keys().filter((bin) => bins.counts[bin] !== 0));
  const groups = [measure(bins, used)];
  while (groups.length < maxColors) {
    const worst = groups.reduce((a, b) => (b.error > a.error ? b : a));
    if (worst.error === 0) break;
    const channel = bins[worst.channel];
    const isLow = (bin: number): boolean => (channel[bin] ?? 0) <= worst.mean * (bins.counts[bin] ?? 0);
    const low = worst.bins.filter(isLow);
    const high = worst.bins.filter((bin) => !isLow(bin));
    if (low.length === 0 || high.length === 0) break;
    groups.splice(groups.indexOf(worst), 1, measure(bins, low), measure(bins, high));
  }
  const indexOfBin = new Uint8Array(binCount);
  for (const [index, group] of groups.entries()) for (const bin of group.bins) indexOfBin[bin] = index;
  const indexes = new Uint8Array(values.length);
  for (let position = 0; position < values.length; position++) {
    indexes[position] = indexOfBin[binOf(values[position] ?? 0)] ?? 0;
  }
  return { colors: groups.flatMap(({ color }) => color), indexes };
}

function countBins(values: Uint32Array): Bins {
  const counts = new Uint32Array(binCount);
  const reds = new Float64Array(binCount);
  const greens = new Float64Array(binCount);
  const blues = new Float64Array(binCount);
  for (let position = 0; position < values.length; position++) {
    const value = values[position] ?? 0;
    const bin = binOf(value);
    counts[bin] = (counts[bin] ?? 0) + 1;
    add(reds, bin, (value >> 16) & 0xff);
    add(greens, bin, (value >> 8) & 0xff);
    add(blues, bin, value & 0xff);
  }
  return { counts, reds, greens, blues };
}

function add(sums: Float64Array, bin: number, value: number): void {
  sums[bin] = (sums[bin] ?? 0) + value;
}

type Channel = "reds" | "greens" | "blues";

interface Group {
  readonly bins: Uint16Array;
  readonly color: [red: number, green: number, blue: number];
  /** The channel with the largest squared error, its mean, and that error. */
  readonly channel: Channel;
  readonly mean: number;
  readonly error: number;
}

function measure(bins: Bins, group: Uint16Array): Group {
  let count = 0;
  for (const bin of group) count += bins.counts[bin] ?? 0;
  const spreads = (["reds", "greens", "blues"] as const).map((channel) => {
    const sums = bins[channel];
    let sum = 0;
    let squares = 0;
    for (const bin of group) {
      const value = sums[bin] ?? 0;
      sum += value;
      squares += (value * value) / (bins.counts[bin] ?? 1);
    }
    // Rounding leaves the difference of large numbers slightly above 0 even if all colours are equal.
    const error = squares - (sum * sum) / count;
    return { channel, mean: sum / count, error: group.length === 1 || error < 1e-3 ? 0 : error };
  });
  const [red, green, blue] = spreads.map(({ mean }) => Math.round(mean));
  const widest = spreads.reduce((a, b) => (b.error > a.error ? b : a));
  return { bins: group, color: [red ?? 0, green ?? 0, blue ?? 0], ...widest };
}
