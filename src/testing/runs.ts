export type TestEngine = "sqlite" | "postgres";

/** `TEST_DEPTH`: how many times as long as usual properties run; 1 unless it is set. */
const depth = Number(process.env["TEST_DEPTH"] ?? 1);

/** Whether tests run on PostgreSQL too. Quick runs do not start it: see vitest.quick.config.ts. */
export const hasPostgres = process.env["TEST_ENGINES"] !== "sqlite";

/** Whether tests run at length, with everything on both engines: see `npm run test:deep`. */
export const isDeep = depth > 1;

/** The number of times that a property runs whose usual number is this. */
export function runs(usual: number): number {
  return Math.max(1, Math.ceil(usual * depth));
}

/** The same for a property that runs on both engines: a quarter of the runs on PostgreSQL, where each takes longer. */
export function runsOn(engine: TestEngine, usual: number): number {
  return runs(isInFull(engine) ? usual : usual / 4);
}

/** Whether a matrix runs in full on an engine: on SQLite always, on PostgreSQL in deep runs. */
export function isInFull(engine: TestEngine): boolean {
  return isDeep || engine === "sqlite";
}

/** The items that a matrix runs with: all of them where it runs in full, otherwise every `step`th. */
export function selectionOn<T>(engine: TestEngine, items: readonly T[], step = 4): T[] {
  return items.filter((_, index) => isInFull(engine) || index % step === 0);
}

/**
 * Every `step`th of the items, from `first` on; all of them in deep runs. Tests of many routes that each give another
 * `first` run with all items among them.
 */
export function shareOf<T>(items: readonly T[], step: number, first: number): T[] {
  return items.filter((_, index) => isDeep || index % step === first % step);
}

/**
 * The seed of all properties. Usual runs draw the same values each time, so that a change fails for what it changes.
 * Deep runs explore: each draws a new seed and prints it, and `TEST_SEED` repeats it. The global set-up passes it to
 * all workers.
 */
export const seed = Number(
  process.env["TEST_SEED"] ?? (isDeep ? Math.floor(Math.random() * 2 ** 31) : 20_260_101),
);
