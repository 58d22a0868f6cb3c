import { useEffect } from "preact/hooks";
import type { Reading } from "../model/reading.ts";

const isBusy = (status: string): boolean => status === "pending" || status === "readable";

/** Calls `onEnd` once the document is no longer being processed, as long as `isWaiting`. */
export function useEndOfWork(reading: Reading, isWaiting: boolean, onEnd: () => void): void {
  const { status } = reading.record.value;
  useEffect(() => {
    if (isWaiting && !isBusy(status)) onEnd();
  }, [isWaiting, status]);
}
