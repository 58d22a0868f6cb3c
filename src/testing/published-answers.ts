import { Errors } from "typebox/schema";
import type { ApiOperation, ApiResponse, OpenApiDocument } from "../http/schema/openapi-types.ts";

/** What an application answered. */
export interface Answer {
  status: number;
  /** The content type, without its parameters. */
  type: string;
  answer: string;
}

/** Reads the whole answer. */
export async function answerOf(response: Response): Promise<Answer> {
  const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
  return { status: response.status, type, answer: await response.text() };
}

/** The object that `$ref` points at. */
export function referred(document: OpenApiDocument, reference: string): unknown {
  const names = reference.replace(/^#\//, "").split("/");
  return names.reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document);
}

/**
 * The differences between an answer and what the document says about it: its content type, and its shape if it is JSON.
 */
export function answerFaults(
  document: OpenApiDocument,
  { operationId: name, responses }: ApiOperation,
  { status, type, answer }: Answer,
): unknown[] {
  const given: (ApiResponse & { $ref?: string }) | undefined = responses[status] ?? responses["default"];
  if (given === undefined) return [[name, status, "is not published"]];
  const { content = {} } = given.$ref === undefined ? given : (referred(document, given.$ref) as ApiResponse);
  const isPublished = answer === "" || type in content || "*/*" in content;
  if (!isPublished) return [[name, status, `${type} instead of ${Object.keys(content).join()}`]];
  const schema = content[type]?.schema;
  if (schema === undefined || !/[+/]json$/.test(type)) return [];
  // Each schema is used a few times, and compiling it takes fifty times as long as using it.
  const closedSchema = { components: closedComponents(document), ...(closed(schema) as object) };
  const [isRight, errors] = Errors(closedSchema, JSON.parse(answer));
  return isRight ? [] : [[name, status, errors.slice(0, 3), answer.slice(0, 300)]];
}

/** By document: hundreds of answers are compared with the same one. */
const componentsOf = new WeakMap<OpenApiDocument, unknown>();

function closedComponents(document: OpenApiDocument): unknown {
  const known = componentsOf.get(document);
  if (known !== undefined) return known;
  const components = closed(document.components);
  componentsOf.set(document, components);
  return components;
}

/** The schema without any additional members allowed. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.entries(schema).map(([name, inner]) => [name, closed(inner)] as const);
  const isOpen = !("properties" in schema) || "additionalProperties" in schema;
  return Object.fromEntries(isOpen ? members : [...members, ["additionalProperties", false]]);
}
