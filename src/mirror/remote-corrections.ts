import { OtherServerError, type PoliteFetchOptions, fetchJson } from "../import/polite-fetch.ts";
import { isFields } from "../import/record-fields.ts";
import type { ImportReport } from "../import/report.ts";
import { type Correction, isCorrection } from "../resources/documents/pages/correction-store.ts";

/** The corrections of mentions at the other server, which shows them to people who may change a document. */
export class RemoteCorrections {
  readonly #fetching: PoliteFetchOptions;
  readonly #report: Pick<ImportReport, "leaveOut">;
  #isAsked: boolean;

  constructor(fetching: PoliteFetchOptions, report: Pick<ImportReport, "leaveOut">) {
    this.#fetching = fetching;
    this.#report = report;
    this.#isAsked = fetching.credentials !== undefined;
  }

  /**
   * The corrections of the document with this address; null if the other server does not show them. A server that has
   * no such list is not asked again.
   *
   * @throws {OtherServerError}
   */
  async fetch(address: string): Promise<readonly Correction[] | null> {
    if (!this.#isAsked) return null;
    try {
      const answer = await fetchJson(`${address}mentioned/corrections/`, this.#fetching);
      const results = isFields(answer) ? answer["results"] : null;
      return Array.isArray(results) ? results.flatMap((item: unknown) => this.#read(item)) : null;
    } catch (error) {
      if (!(error instanceof OtherServerError) || (error.status !== 403 && error.status !== 404)) throw error;
      this.#isAsked = error.status === 403;
      return null;
    }
  }

  #read(item: unknown): Correction[] {
    if (isFields(item)) {
      const { kind, value, becomes = null } = item;
      const correction = { kind, value, becomes };
      if (isCorrection(correction)) return [correction];
    }
    this.#report.leaveOut(["invalid corrections of mentions"]);
    return [];
  }
}
