import { linesOf } from "./access-rights.ts";

/** What each column's viewers get from one route: a row of a table in a matrix of rights. */
export interface MatrixRow {
  /** The row's beginning: the method, the address and the variant. */
  name: string;
  method: string;
  /** As the router has it: `/api/documents/:id/`. */
  path: string;
  /**
   * Tells rows of one route apart. It is the query if it begins with `?`, and the end of the path if that ends in `*`.
   */
  variant: string;
  /** The expected word for each column. */
  words: readonly string[];
}

/**
 * The rows of a table. The first line names the columns, after `route`; each other line is a method, an address,
 * perhaps a variant, and a word for each column.
 */
export function matrixOf(table: string): MatrixRow[] {
  const [first = ""] = table.trim().split("\n");
  const columns = first.trim().split(/\s+/).length - 1;
  return linesOf(table).map((line) => {
    const [method = "", path = "", ...rest] = line;
    const more = rest.length - columns;
    if (more !== 0 && more !== 1) throw new Error(`A row has too few or too many words: ${line.join(" ")}`);
    const variant = rest.slice(0, more).join("");
    const name = [method, path, variant].filter((part) => part !== "").join(" ");
    return { name, method, path, variant, words: rest.slice(more) };
  });
}

/** The address of a row for these values of its parameters: `:id` is the value of `id`. */
export function targetOf(
  { path, variant }: Pick<MatrixRow, "path" | "variant">,
  values: Readonly<Record<string, number | string>>,
): string {
  const isQuery = variant.startsWith("?");
  const address = (path.endsWith("*") ? path.slice(0, -1) + variant : path) + (isQuery ? variant : "");
  return address.replaceAll(/:(\w+)/g, (name, key: string) => String(values[key] ?? name));
}
