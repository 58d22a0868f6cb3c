/** Runs `action` for all items, at most this many at a time. After a failure, no further item is started. */
export async function forEachConcurrently<T>(
  items: Iterable<T> | AsyncIterable<T>,
  concurrency: number,
  action: (item: T) => Promise<void>,
): Promise<void> {
  const remaining = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const failure = new AbortController();
  const work = async (): Promise<void> => {
    try {
      while (!failure.signal.aborted) {
        const { done, value } = await remaining.next();
        if (done === true) return;
        await action(value);
      }
    } catch (error) {
      failure.abort();
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: concurrency }, work));
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
