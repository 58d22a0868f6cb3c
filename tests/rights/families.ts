import type { AccessWorld, WorldDocument } from "../../src/testing/access-world.ts";

/** The same world, whose new documents are each part of another one, whose rights they have taken over. */
export function worldOfParts(world: AccessWorld): AccessWorld {
  return { ...world, add: async (kinds) => asParts(world, await world.add(kinds)) };
}

/**
 * Puts each of the documents into a container that nobody sees, with no right left of its own. Then the container alone
 * gets the rights: its parts follow it in the same transaction, or the matrix is wrong.
 */
export async function asParts(world: AccessWorld, parts: readonly WorldDocument[]): Promise<WorldDocument[]> {
  const { app, people, project, unshared } = world;
  const roots = await world.add(parts.map(({ access }) => ({ access, status: "success" })));
  const owner = people.owner?.id ?? 0;
  const stranger = people.other?.id ?? 0;
  await app.context.database.write(async (writer) => {
    for (const [index, { id: child_id, access }] of parts.entries()) {
      const root = roots[index]?.id ?? 0;
      const change = (values: { access: string; user_id: number; organization_id: number }) =>
        writer.updateTable("documents").set(values).where("id", "=", root).execute();
      const at = { position: 0, depth: 1, path: "a.pdf", bytes: 1, taken_from: "zip" };
      await writer
        .insertInto("document_children")
        .values({ child_id, parent_id: root, root_id: root, ...at })
        .execute();
      await change({ access: "private", user_id: stranger, organization_id: 2 });
      await writer.deleteFrom("project_memberships").where("document_id", "=", root).execute();
      const left = await writer
        .selectFrom("project_memberships")
        .select("project_id")
        .where("document_id", "=", child_id)
        .execute();
      if (left.length > 0) throw new Error("A part is still in the projects of its container");
      await change({ access, user_id: owner, organization_id: 1 });
      const shared = { document_id: root, project_id: project, edit_access: true };
      const lying = { document_id: root, project_id: unshared, edit_access: false };
      await writer.insertInto("project_memberships").values([shared, lying]).execute();
    }
  });
  return [...parts];
}
