/** Whether work is still under way after this time. Resolves at once when the work has ended, in whatever way. */
export async function isUnfinishedAfter(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: passed, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(true), milliseconds);
  const ended = work.then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([ended, passed]);
  } finally {
    clearTimeout(timer);
  }
}
