/** `TEST_DEPTH`: how many times as long as usual properties run; 1 unless it is set. */
const depth = Number(process.env["TEST_DEPTH"] ?? 1);

/** How often a property runs that usually runs this often: see `npm run test:deep`. */
export function runs(usual: number): number {
  return Math.max(1, Math.ceil(usual * depth));
}

/** `TEST_SEED`: the seed that a failed property printed, to run it again with the same values. */
export const seed = process.env["TEST_SEED"] === undefined ? undefined : Number(process.env["TEST_SEED"]);
