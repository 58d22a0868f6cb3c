import { useEffect } from "preact/hooks";
import type { ViewerState } from "../state/viewer-state.ts";

const isBusy = (status: string): boolean => status === "pending" || status === "readable";

/** Calls `onEnd` once the document is no longer being processed, as long as `isWaiting`. */
export function useEndOfWork(viewer: ViewerState, isWaiting: boolean, onEnd: () => void): void {
  const { status } = viewer.record.value;
  useEffect(() => {
    if (isWaiting && !isBusy(status)) onEnd();
  }, [isWaiting, status]);
}
