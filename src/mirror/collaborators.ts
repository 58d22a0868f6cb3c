import { type PoliteFetchOptions, OtherServerError } from "../import/polite-fetch.ts";
import { userIn } from "../import/read-named.ts";
import { type Fields, isFields } from "../import/record-fields.ts";
import { RemoteWalk } from "../import/remote-list.ts";
import type { MirroredCollaborator } from "../resources/mirrors/collaborator-store.ts";

const rights = ["view", "edit", "admin"] as const;

/**
 * The collaborators of a project of the other server, with the ids that `localUser` gives their users. Null if the
 * other server does not show them: it shows them to admins of the project only, and an empty list to everyone else.
 *
 * @throws {OtherServerError}
 */
export async function fetchCollaborators(
  projectAddress: string,
  localUser: (user: Fields) => Promise<unknown>,
  options: PoliteFetchOptions,
): Promise<MirroredCollaborator[] | null> {
  const walk = new RemoteWalk(`${projectAddress}users/?expand=user&per_page=100`, options);
  const collaborators: MirroredCollaborator[] = [];
  try {
    for (;;) {
      const page = await walk.nextPage();
      if (page === "gone") continue;
      for (const item of page.results) {
        const access = isFields(item) ? rights.find((right) => right === item["access"]) : undefined;
        if (!isFields(item) || !isFields(item["user"]) || access === undefined)
          throw new OtherServerError("has collaborators without a user or without access");
        const user = userIn(await localUser(item["user"]), "user", []);
        if (user !== null) collaborators.push({ user, access });
      }
      if (page.next === null) return collaborators.length === 0 ? null : collaborators;
    }
  } catch (error) {
    if (error instanceof OtherServerError && [401, 403, 404].includes(error.status ?? 0)) return null;
    throw error;
  }
}
