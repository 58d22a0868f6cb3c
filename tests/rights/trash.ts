import { type DocumentKind, type Role, linesOf, roles } from "../../src/testing/access-rights.ts";
import type { FilledDocument } from "../../src/testing/access-world.ts";
import type { Asked } from "../../src/testing/ask.ts";
import { type MatrixRow, matrixOf, targetOf } from "../../src/testing/matrix.ts";
import type { Words } from "../../src/testing/run-matrix.ts";

/*
 * A deleted document is brought back, or removed for good, by those who might delete it. For all others it does not
 * exist.
 */
const rights = `
  access        anon owner member orgadmin other viewer editor padmin admin unshared
  public        n    E     E      E        -     -      -      -      E     -
  organization  n    E     E      E        -     -      -      -      -     -
  private       n    E     -      -        -     -      -      -      -     -
  invisible     n    -     -      -        -     -      -      -      -     -
`;
const byAccess = new Map(linesOf(rights).map(([access, ...columns]) => [access, columns]));
const rightInTrash = (role: Role, { access }: DocumentKind): string =>
  byAccess.get(access)?.[roles.indexOf(role)] ?? "";

/** Whether a role may bring a document back. */
export const restores = (role: Role, document: DocumentKind): boolean =>
  document.status === "deleted" && rightInTrash(role, document) === "E";

export const trashRows = matrixOf(`
  route                                           n        -         E
  POST   /api/documents/trash/restore/            signin   unrestored 200
  DELETE /api/documents/trash/       ?id__in=:id  signin   undeleted 204
`);

export const trashWords: Words = {
  signin: [403, { detail: "Authentication credentials were not provided." }],
  unrestored: [400, ["Could not find all objects to restore"]],
  undeleted: [400, ["Could not find all objects to delete"]],
};

export function trashWord({ words }: MatrixRow, role: Role, document: DocumentKind): string {
  return words["n-E".indexOf(rightInTrash(role, document))] ?? "";
}

export function trashRequest(row: MatrixRow, { id }: FilledDocument): Asked {
  const { method } = row;
  return { method, target: targetOf(row, { id }), ...(method === "POST" && { value: { ids: [id] } }) };
}
