import { useEffect } from "preact/hooks";
import type { Reading } from "../model/reading.ts";
import { RewritingApi } from "../model/rewriting-api.ts";
import { sendJson } from "../model/send.ts";

/** The requests that change the file of the reader's document. */
export function rewritingApiOf(reading: Reading): RewritingApi {
  const root = reading.api.address.replace(/documents\/\d+\/$/, "");
  return new RewritingApi((method, path, value) =>
    sendJson(method, `${root}${path}`, reading.csrfToken ?? "", value),
  );
}

const isBusy = (status: string): boolean => status === "pending" || status === "readable";

/** Calls `onEnd` once the document is no longer being processed, as long as `isWaiting`. */
export function useEndOfWork(reading: Reading, isWaiting: boolean, onEnd: () => void): void {
  const { status } = reading.record.value;
  useEffect(() => {
    if (isWaiting && !isBusy(status)) onEnd();
  }, [isWaiting, status]);
}
