export const roles = [
  "anonymous",
  "owner",
  "member",
  "organization admin",
  "other",
  "project viewer",
  "project editor",
  "project admin",
  "administrator",
  "unshared editor",
] as const;
export type Role = (typeof roles)[number];

export const accessLevels = ["public", "organization", "private", "invisible"] as const;
export const statuses = ["success", "readable", "pending", "error", "nofile", "deleted"] as const;

/** An access and a status: what decides who may do what with a document. */
export interface DocumentKind {
  access: (typeof accessLevels)[number];
  status: (typeof statuses)[number];
}

/*
 * The access rights of DocumentCloud's users. The columns are the roles, in their order.
 *
 *   -  does not see it         n  does not see it, and has not signed in
 *   v  sees it                 a  sees it, and has not signed in
 *   e  may change it
 *   E  may change, delete and share it
 *
 * An administrator sees no more than others but may do everything with visible documents. A project that has the
 * document without sharing it gives its collaborators no rights.
 */
const rights = `
  access        status     anon owner member orgadmin other viewer editor padmin admin unshared
  public        success    a    E     E      E        v     v      v      v      E     v
  public        readable   a    E     E      E        v     v      v      v      E     v
  public        pending    n    E     -      -        -     v      v      v      -     -
  public        error      n    E     -      -        -     v      v      v      -     -
  public        nofile     n    E     -      -        -     v      v      v      -     -
  public        deleted    n    -     -      -        -     -      -      -      -     -
  organization  success    n    E     E      E        -     v      e      e      -     -
  organization  readable   n    E     E      E        -     v      e      e      -     -
  organization  pending    n    E     E      E        -     v      e      e      -     -
  organization  error      n    E     E      E        -     v      e      e      -     -
  organization  nofile     n    E     E      E        -     v      e      e      -     -
  organization  deleted    n    -     -      -        -     -      -      -      -     -
  private       success    n    E     -      -        -     v      e      e      -     -
  private       readable   n    E     -      -        -     v      e      e      -     -
  private       pending    n    E     -      -        -     v      e      e      -     -
  private       error      n    E     -      -        -     v      e      e      -     -
  private       nofile     n    E     -      -        -     v      e      e      -     -
  private       deleted    n    -     -      -        -     -      -      -      -     -
  invisible     success    n    -     -      -        -     -      -      -      -     -
  invisible     readable   n    -     -      -        -     -      -      -      -     -
  invisible     pending    n    -     -      -        -     -      -      -      -     -
  invisible     error      n    -     -      -        -     -      -      -      -     -
  invisible     nofile     n    -     -      -        -     -      -      -      -     -
  invisible     deleted    n    -     -      -        -     -      -      -      -     -
`;

export type Right = "n" | "a" | "-" | "v" | "e" | "E";

/** The column of a right in a table of expected responses. */
export const columnOf = (right: Right): number => "na-veE".indexOf(right);

/** The words of a table, line by line, without its header. */
export const linesOf = (table: string): string[][] =>
  table
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(/\s+/));

export const rightsBySubject: ReadonlyMap<string, readonly Right[]> = new Map(
  linesOf(rights).map(([access, status, ...columns]) => [`${access} ${status}`, columns as Right[]]),
);

export const rightOf = (role: Role, { access, status }: DocumentKind): Right =>
  rightsBySubject.get(`${access} ${status}`)?.[roles.indexOf(role)] as Right;

/** Whether a role sees a document. */
export const sees = (role: Role, document: DocumentKind): boolean =>
  !["n", "-"].includes(rightOf(role, document));

/** Whether a role may change a document. */
export const edits = (role: Role, document: DocumentKind): boolean =>
  ["e", "E"].includes(rightOf(role, document));

/** Documents that cover each different row of rights, and each status with special rules. */
const covering: ReadonlySet<string> = new Set([
  "public success",
  "public pending",
  "public deleted",
  "organization success",
  "organization nofile",
  "private success",
  "private error",
  "invisible readable",
]);

export function isCovering({ access, status }: DocumentKind): boolean {
  return covering.has(`${access} ${status}`);
}
