import { isCovering, type Role, columnOf, rightOf, sees } from "../../src/testing/access-rights.ts";
import {
  type AccessWorld,
  type FilledDocument,
  absentId,
  addNote,
  fill,
  matrixDocuments,
} from "../../src/testing/access-world.ts";
import type { MatrixRow } from "../../src/testing/matrix.ts";
import type { Matrix } from "../../src/testing/run-matrix.ts";
import type { TestEngine } from "../../src/testing/test-app.ts";

type Rest = Pick<Matrix<Role, FilledDocument>, "words" | "askedOf" | "effectOf"> &
  Partial<Matrix<Role, FilledDocument>>;

/** A matrix about the documents of a world, whose words are for the rights to a document. */
export async function documentMatrix(
  engine: TestEngine,
  world: AccessWorld,
  rest: Rest,
  documents = matrixDocuments(engine, world.documents),
): Promise<Matrix<Role, FilledDocument>> {
  const { app, people, shown } = world;
  const things = await fill(world, documents);
  // Notes that hardly anybody may see, wherever the notes of a document are shown.
  await app.context.database.write(async (writer) => {
    for (const document of things)
      for (const access of ["organization", "private", "invisible"] as const)
        await addNote(writer, shown, document, { access });
  });
  return {
    app,
    people,
    things,
    nameOf: ({ access, status }) => `${access} ${status}`,
    wordFor: ({ words }, role, document) => words[columnOf(rightOf(role, document))] ?? "",
    unless: (_row, role, document) => (sees(role, document) ? null : neverExisted(document)),
    idsOf: (_row, { id }) => ({ id }),
    maySee: (_row, role, id) => shown.get(id)?.(role) === true,
    isSelected: isCovering,
    copiesOf: async (_row, cells) => fill(world, await world.add(cells.map(({ thing }) => thing))),
    ...rest,
  };
}

export function neverExisted(document: FilledDocument): FilledDocument {
  return { ...document, id: absentId.document };
}

/** The column of a role's right in a row, for words that depend on more than that. */
export function wordOf({ words }: MatrixRow, role: Role, document: FilledDocument): string {
  return words[columnOf(rightOf(role, document))] ?? "";
}
