/**
 * Shares one query among all callers that arrive while another one is running. It starts after the last of them has
 * called, so that no caller gets a result older than its call.
 */
export function shared<T>(query: () => Promise<T>): () => Promise<T> {
  let isRunning = false;
  let next: PromiseWithResolvers<T> | null = null;
  const start = (): Promise<T> => {
    isRunning = true;
    const answer = query();
    // The next query begins before the callers of this one go on, so that the database works meanwhile.
    const end = (): void => {
      isRunning = false;
      const waiting = next;
      next = null;
      waiting?.resolve(start());
    };
    answer.then(end, end);
    return answer;
  };
  return () => {
    if (!isRunning) return start();
    next ??= Promise.withResolvers<T>();
    return next.promise;
  };
}
