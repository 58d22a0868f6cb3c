import { ApiError } from "../errors.ts";
import { type PoliteFetchOptions, OtherServerError } from "../import/polite-fetch.ts";
import { isFields, isId } from "../import/record-fields.ts";
import { RemoteWalk } from "../import/remote-list.ts";
import type { ImportReport } from "../import/report.ts";
import { type EntityToPut, readEntityToPut } from "../resources/entities/put-entities.ts";

/**
 * The entities of a document of the other server; null if it returns 404 for them. `address` is that of the document.
 *
 * @throws {OtherServerError}
 */
export async function fetchEntities(
  address: string,
  pageCount: number,
  fetching: PoliteFetchOptions,
  report: Pick<ImportReport, "leaveOut">,
): Promise<readonly EntityToPut[] | null> {
  const walk = new RemoteWalk(`${address}entities/?expand=entity&per_page=100`, fetching);
  const entities: EntityToPut[] = [];
  try {
    for (;;) {
      const page = await walk.nextPage();
      if (page === "gone") continue;
      for (const item of page.results) {
        const entity = entityIn(item, pageCount);
        if (entity === null) report.leaveOut(["invalid entities"]);
        else entities.push(entity);
      }
      if (page.next === null) return entities;
    }
  } catch (error) {
    if (error instanceof OtherServerError && error.status === 404) return null;
    throw error;
  }
}

/** An entity of the other server's document; null if the API would refuse it. */
function entityIn(item: unknown, pageCount: number): EntityToPut | null {
  if (!isFields(item) || !isFields(item["entity"])) return null;
  const { id } = item["entity"];
  try {
    return readEntityToPut(isId(id) ? id : null, item["entity"], item, pageCount);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
