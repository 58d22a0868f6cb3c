/*
 * Vectors as they are stored: a byte for each number, since their directions alone are compared, and of several vectors
 * one after the other, in base64. Sorted by them, results are the same as by the numbers of the model.
 */

/** Stores vectors of the same length. */
export function packed(vectors: readonly Float32Array[]): string {
  const bytes = vectors.map((vector) => {
    const max = vector.reduce((found, value) => Math.max(found, Math.abs(value)), 0);
    return Buffer.from(Int8Array.from(vector, (value) => Math.round((value * 127) / (max || 1))).buffer);
  });
  return Buffer.concat(bytes).toString("base64");
}

/** Finds the stored vector that is nearest to a vector of length 1. Returns null if none is stored. */
export function nearestAmong(vector: Float32Array, stored: string): { index: number; cosine: number } | null {
  const bytes = Buffer.from(stored, "base64");
  const values = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = vector.length;
  let nearest: { index: number; cosine: number } | null = null;
  for (let start = 0; start + size <= values.length; start += size) {
    let [product, square] = [0, 0];
    for (let at = 0; at < size; at++) {
      const value = values[start + at] ?? 0;
      product += value * (vector[at] ?? 0);
      square += value * value;
    }
    const cosine = square === 0 ? -1 : product / Math.sqrt(square);
    if (nearest === null || cosine > nearest.cosine) nearest = { index: start / size, cosine };
  }
  return nearest;
}
