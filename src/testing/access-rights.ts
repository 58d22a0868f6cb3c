import { type AccessWorld, type Role, type WorldDocument, roles } from "./access-world.ts";

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

export const rightOf = (role: Role, { access, status }: Pick<WorldDocument, "access" | "status">): Right =>
  rightsBySubject.get(`${access} ${status}`)?.[roles.indexOf(role)] as Right;

export interface Asked {
  target: string;
  value?: unknown;
  /** A form with a file, in place of JSON. */
  form?: string;
  accept?: string;
  headers?: Record<string, string>;
}

export interface Reply {
  status: number;
  headers: string;
  body: string;
}

/** The answer without headers that always differ. The id in it, if any, is replaced by `<id>`. */
export async function ask(
  { app, people }: Pick<AccessWorld, "app" | "people">,
  role: Role,
  method: string,
  { target, value, form, accept, headers: more }: Asked,
  id: number,
): Promise<Reply> {
  const answer = await app.fetch(target, {
    method,
    redirect: "manual",
    headers: {
      ...people[role]?.headers,
      ...(accept === undefined ? {} : { accept }),
      ...(value === undefined ? {} : { "content-type": "application/json" }),
      ...(form === undefined ? {} : { "content-type": "multipart/form-data; boundary=x" }),
      ...more,
    },
    ...(value === undefined ? {} : { body: JSON.stringify(value) }),
    ...(form === undefined ? {} : { body: form }),
  });
  const text = await answer.text();
  const body = text.replaceAll(new RegExp(`(?<=[/=" ]|%2F)${id}(?=[-/" ]|%2F|\\\\")`, "g"), "<id>");
  // The length of a body that repeats the requested id, such as a page, depends on that id.
  const apart = new Set(["date", "x-request-id"]);
  if (body !== text || accept !== undefined) apart.add("content-length");
  const headers = [...answer.headers].filter(([name]) => !apart.has(name));
  return { status: answer.status, headers: JSON.stringify(headers), body };
}
