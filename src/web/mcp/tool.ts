import type { JsonSchema, ObjectOf, Properties, Schema } from "../../contract/shape.ts";
import { Type } from "../../contract/shape.ts";
import type { AskApi } from "./ask-api.ts";

/** An action that assistants can take. */
export interface Tool {
  name: string;
  title: string;
  /** For the assistant: what it does, and when to use it. */
  description: string;
  input: JsonSchema;
  /** Only a token that may write has it. */
  writes: boolean;
  run: (given: unknown, ask: AskApi) => Promise<object>;
}

/** A tool whose input has these members. The server checks the input against them. */
export function tool<P extends Properties>(
  { input, ...about }: Omit<Tool, "input" | "run" | "writes"> & { input: P; writes?: true },
  run: (given: ObjectOf<P>, ask: AskApi) => Promise<object>,
): Tool {
  return {
    writes: false,
    ...about,
    input: Type.Object(input, { additionalProperties: false }),
    run: (given, ask) => run(given as ObjectOf<P>, ask),
  };
}

/** The id of a document, a member of most inputs. */
export const documentId = Type.Integer({ minimum: 1, description: "the id of a document" });

export const optional = <T>(schema: Schema<T>) => Type.Optional(schema);

export const cursor = optional(Type.String({ description: "next_cursor of the previous answer" }));

/** Where the page of a document is for people. Counts from 1, as people do. */
export const pageAddress = (canonical: string, page: number): string => `${canonical}#document/p${page}`;

/** The cursor in the address of the next page; null at the end. */
export function cursorIn(next: string | null): string | null {
  return next === null ? null : new URL(next).searchParams.get("cursor");
}
