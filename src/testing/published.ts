import type { ApiOperation, OpenApiDocument } from "../http/schema/openapi-types.ts";
import { everyRoute, startTestApp } from "./test-app.ts";

/** A schema of the published document: the keywords that tests read. */
export interface Shape {
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, Shape>>;
  required?: readonly string[];
  dependentRequired?: Readonly<Record<string, readonly string[]>>;
  minimum?: number;
  items?: Shape;
  oneOf?: readonly Shape[];
  anyOf?: readonly Shape[];
  format?: string;
  examples?: readonly unknown[];
}

/** One operation of the published document. */
export interface PublishedOperation {
  /** The method and the path. */
  name: string;
  method: string;
  /** As published: `/api/documents/{id}/`. */
  path: string;
  operation: ApiOperation;
}

/** An operation that takes JSON: one object, or a list of objects. An operation that takes both is there twice. */
export interface WrittenOperation extends PublishedOperation {
  isList: boolean;
  /** The object, or each object of the list. */
  shape: Shape;
  /** A valid object. */
  example: Readonly<Record<string, unknown>>;
  /** The content types that the operation takes. */
  types: ReadonlySet<string>;
  /** The members that the operation's answer has, as published. */
  answered: readonly string[];
}

/** The document that an application publishes, so that a new operation is tested without being named. */
export class Published {
  readonly whole: OpenApiDocument;
  readonly operations: readonly PublishedOperation[];
  readonly #schemas: Readonly<Record<string, unknown>>;

  constructor(whole: OpenApiDocument) {
    const { paths, components } = whole;
    this.whole = whole;
    this.#schemas = components["schemas"] ?? {};
    this.operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([lower, operation]) => {
        const method = lower.toUpperCase();
        return { name: `${method} ${path}`, method, path, operation };
      }),
    );
  }

  /** Starts an application for the moment, because suites are named before their own applications start. */
  static async read(): Promise<Published> {
    await using app = await startTestApp("sqlite", everyRoute);
    return new Published((await (await app.fetch("/api/schema/")).json()) as OpenApiDocument);
  }

  /** The operations that take JSON. */
  written(): WrittenOperation[] {
    return this.operations.flatMap((published) => {
      const content = published.operation.requestBody?.content ?? null;
      const json = content?.["application/json"];
      if (content === null || json === undefined) return [];
      const whole = this.resolve(json.schema);
      const exampleOf = ({ examples = [json.example] }: Shape): WrittenOperation["example"] =>
        [examples[0]].flat()[0] as WrittenOperation["example"];
      const types = new Set(Object.keys(content));
      const answered = this.#answered(published.operation);
      return (whole.oneOf ?? [whole]).map((variant) => {
        const given = this.resolve(variant);
        const isList = given.type === "array";
        const shape = isList ? this.resolve(given.items ?? {}) : given;
        const isOther = isList && whole.oneOf !== undefined;
        const name = isOther ? `${published.name} with a list` : published.name;
        const example = exampleOf(given);
        return Object.assign({}, published, { name, isList, shape, example, types, answered });
      });
    });
  }

  /** The names that the forms of an operation have, and which of them is a file; null if it takes no forms. */
  form({ operation }: PublishedOperation): { names: string[]; files: string[] } | null {
    const schema = operation.requestBody?.content["multipart/form-data"]?.schema as Shape | undefined;
    if (schema === undefined) return null;
    const whole = this.resolve(schema);
    const members = (whole.anyOf ?? [whole]).flatMap((one) =>
      Object.entries(this.resolve(one).properties ?? {}),
    );
    const files = members.flatMap(([name, member]) => (member.format === "binary" ? [name] : []));
    return { names: [...new Set(members.map(([name]) => name))], files };
  }

  resolve(shape: Shape): Shape {
    const name = shape.$ref?.split("/").at(-1);
    return name === undefined ? shape : this.resolve(this.#schemas[name] as Shape);
  }

  #answered({ responses }: ApiOperation): string[] {
    const schemas = Object.entries(responses).flatMap(([status, { content }]) =>
      status.startsWith("2") ? [content?.["application/json"]?.schema as Shape | undefined] : [],
    );
    return schemas.flatMap((schema) => Object.keys(this.resolve(schema ?? {}).properties ?? {}));
  }
}
