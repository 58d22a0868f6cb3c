import { describe, expect, it } from "vitest";
import { jsonBody, multipartBody } from "../request/body.ts";
import { Type } from "../fields/json-schema.ts";
import { type FieldTable, fileField } from "../fields/fields.ts";
import { boolean, choice, dateTime, key, listOf, text, url } from "../fields/field-kinds.ts";
import { openApiDocument } from "./openapi-document.ts";
import type { ApiOperation, DocumentedRoute, RouteSchemas } from "./openapi-types.ts";
import { bytes, withHeaders } from "../fields/schema-shapes.ts";
import { testSite } from "../../testing/site.ts";
import { renderSchemaPage } from "./schema-page.ts";

const fields: FieldTable = {
  title: text({ required: true, maxLength: 20, help: "What it says" }),
  level: choice(["a", "b"], { default: "a", nullable: true }),
  kind: choice(["x"], { blank: true }),
  page: url({ blank: true }),
  at: dateTime({ nullable: true }),
  is_good: boolean({ default: true }),
  parts: listOf(key({}), { example: [4] }),
  old: text({ hidden: true }),
};

function route(method: string, path: string, schema: RouteSchemas = {}): DocumentedRoute {
  return {
    method,
    path,
    schema,
    view: {
      name: "Thing",
      description: "A thing.",
      parses: [jsonBody, multipartBody],
      fields: { POST: fields, PUT: fields, PATCH: fields },
    },
    allow: path.endsWith(":id/") ? "GET, PUT, PATCH" : "GET, POST, PUT",
    needsSignIn: method !== "GET",
  };
}

const routes = [
  route("GET", "/api/things/", {
    summary: "All things",
    querystring: Type.Object({
      page: Type.Optional(Type.Integer({ description: "which", examples: [2] })),
      kind: Type.String(),
    }),
    response: { 200: Type.Array(Type.String()), 404: Type.Object({ detail: Type.String() }) },
  }),
  route("POST", "/api/things/"),
  route("PUT", "/api/things/"),
  route("PUT", "/api/things/:id/", { params: Type.Object({ id: Type.Integer({ description: "its id" }) }) }),
  route("PATCH", "/api/things/:id/", { response: { 204: Type.Null() } }),
  route("GET", "/files/:id/*"),
];
const document = openApiDocument(routes, "https://quire.example.org");
const operation = (method: string, path: string): ApiOperation => {
  const found = document.paths[path]?.[method];
  if (found === undefined) throw new Error(`${method} ${path} is not there`);
  return found;
};
const contentOf = (method: string, path: string): NonNullable<ApiOperation["requestBody"]>["content"] =>
  operation(method, path).requestBody?.content ?? {};
const schemaOf = (name: string): unknown => document.components["schemas"]?.[name];

const ownBodyOf = (schema: RouteSchemas) =>
  openApiDocument([route("POST", "/api/things/", schema)], "https://a.org").paths["/api/things/"]?.["post"]
    ?.requestBody;

const tableBodyOf = (table: FieldTable) => {
  const things = route("POST", "/api/things/");
  const view = { ...things.view!, fields: { POST: table } };
  const own = openApiDocument([{ ...things, view }], "https://a.org");
  const { required } = own.paths["/api/things/"]!["post"]!.requestBody!;
  return { required, schema: own.components["schemas"]?.["postThingsBody"] };
};

describe("the OpenAPI document", () => {
  it("gives each path and operation a different name", () => {
    expect(Object.keys(document.paths)).toEqual(["/api/things/", "/api/things/{id}/", "/files/{id}/{path}"]);
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(ids).toEqual([
      "getThings",
      "postThings",
      "putThings",
      "putThingsById",
      "patchThingsById",
      "getFilesByIdByPath",
    ]);
    expect(document.servers).toEqual([{ url: "https://quire.example.org" }]);
  });

  it("includes each route's own description", () => {
    const { summary, parameters, responses, security, tags } = operation("get", "/api/things/");
    expect([summary, tags]).toEqual(["All things", ["things"]]);
    expect(parameters).toEqual([
      {
        name: "page",
        in: "query",
        required: false,
        description: "which",
        example: 2,
        schema: { type: "integer" },
      },
      { name: "kind", in: "query", required: true, schema: { type: "string" } },
    ]);
    expect(responses["200"]).toEqual({
      description: "OK",
      content: {
        [jsonBody]: { schema: { type: "array", items: { type: "string" } } },
      },
    });
    expect(responses["404"]?.description).toBe("Not Found");
    expect(responses["default"]).toEqual({ $ref: "#/components/responses/Refusal" });
    expect(security).toEqual([{}, { bearer: [] }, { session: [] }]);
    expect(operation("patch", "/api/things/{id}/").responses["204"]).toEqual({ description: "No Content" });
    expect(operation("post", "/api/things/").responses).toHaveProperty("2XX");
    expect(operation("post", "/api/things/").security).toEqual([{ bearer: [] }, { session: [] }]);
  });

  it("declares every parameter of a path, even if the route does not describe it", () => {
    expect(operation("put", "/api/things/{id}/").parameters).toEqual([
      { name: "id", in: "path", required: true, description: "its id", schema: { type: "integer" } },
    ]);
    expect(operation("get", "/files/{id}/{path}").parameters.map(({ name }) => name)).toEqual(["id", "path"]);
  });

  it("describes bodies by their fields", () => {
    expect(schemaOf("postThingsBody")).toEqual({
      type: "object",
      required: ["title"],
      properties: {
        title: { title: "Title", type: "string", description: "What it says", maxLength: 20 },
        level: {
          title: "Level",
          type: ["string", "null"],
          enum: ["a", "b", null],
          description: 'Default: "a"',
        },
        kind: { title: "Kind", type: "string", enum: ["x", ""] },
        page: { title: "Page", type: "string", format: "uri-reference", maxLength: 1024 },
        at: { title: "At", type: ["string", "null"], format: "date-time" },
        is_good: { title: "Is good", type: "boolean", description: "Default: true" },
        parts: { title: "Parts", type: "array", items: { type: "integer", format: "int64", minimum: 1 } },
      },
    });
    expect(schemaOf("patchThingsByIdBody")).not.toHaveProperty("required");
    expect(Object.keys(contentOf("post", "/api/things/"))).toEqual([jsonBody, multipartBody]);
  });

  it("has examples that the fields accept", () => {
    const example = contentOf("post", "/api/things/")[jsonBody]?.example as Record<string, unknown>;
    expect(example).toMatchObject({ level: "a", is_good: true, parts: [4] });
    const read = Object.entries(example).map(([name, value]) => [name, fields[name]!.read(value)]);
    // Texts of dates are stored with microseconds. Everything else is stored as it is written.
    expect(Object.fromEntries(read)).toEqual({ ...example, at: "2030-01-31T12:00:00.000000Z" });
  });

  it("describes a bulk change as a list", () => {
    expect(schemaOf("putThingsBody")).toMatchObject({
      type: "array",
      maxItems: 25,
      items: { properties: { id: { type: "integer", minimum: 1 }, title: {} }, required: ["id", "title"] },
    });
    expect(contentOf("put", "/api/things/")[jsonBody]?.example).toEqual([expect.objectContaining({ id: 1 })]);
  });

  it("contains each named schema once, and refers to it", () => {
    const Part = Type.Object({ id: Type.Integer() }, { $id: "Part" });
    const response = { 200: Type.Object({ parts: Type.Array(Part) }, { $id: "Whole" }), 201: Part };
    const own = openApiDocument([route("POST", "/api/things/", { response })], "https://a.org");
    expect(own.components["schemas"]).toMatchObject({
      Part: { type: "object", properties: { id: { type: "integer" } } },
      Whole: { properties: { parts: { items: { $ref: "#/components/schemas/Part" } } } },
    });
    expect(own.paths["/api/things/"]?.["post"]?.responses["201"]?.content?.[jsonBody]?.schema).toEqual({
      $ref: "#/components/schemas/Part",
    });
    const other = Type.Object({ name: Type.String() }, { $id: "Part" });
    const two = [route("POST", "/api/things/", { response: { 200: Part, 201: other } })];
    expect(() => openApiDocument(two, "https://a.org")).toThrow("Two schemas have the name Part");
  });

  it("describes the lists and files that a route also accepts", () => {
    const described = { description: "Makes things.", takesList: true };
    const taking = { ...route("POST", "/api/things/", described), takesFile: true };
    const own = openApiDocument([taking], "https://a.org");
    const post = own.paths["/api/things/"]?.["post"];
    const one = { $ref: "#/components/schemas/postThingsBody" };
    expect(post?.description).toBe("Makes things.");
    expect(post?.requestBody?.content[jsonBody]?.schema).toEqual({
      oneOf: [one, { type: "array", items: one, maxItems: 25 }],
    });
    expect(post?.requestBody?.content[multipartBody]?.schema).toEqual({
      anyOf: [{ $ref: "#/components/schemas/postThingsForm" }, one],
    });
    expect(own.components["schemas"]?.["postThingsForm"]).toMatchObject({
      properties: { title: {}, file: { type: "string", format: "binary" } },
      required: ["file"],
    });
    const page = renderSchemaPage(testSite, own);
    expect(page).toContain("<code>file</code>");
    expect(page).toContain("<code>title</code>");
  });

  it("leaves the file of a form out of the body as JSON", () => {
    const table = { file: fileField, title: text({}), at: { ...url({}), insteadOf: "file" } };
    const things = route("POST", "/api/things/");
    const view = { ...things.view!, fields: { POST: table } };
    const own = openApiDocument([{ ...things, view, takesFile: true }], "https://a.org");
    const content = own.paths["/api/things/"]?.["post"]?.requestBody?.content;
    const examples = [jsonBody, multipartBody].map((type) => Object.keys(content?.[type]?.example as object));
    expect(examples).toEqual([
      ["title", "at"],
      ["file", "title"],
    ]);
    expect(content?.[jsonBody]?.schema).toEqual({ $ref: "#/components/schemas/postThingsBody" });
    expect(content?.[multipartBody]?.schema).toEqual({ $ref: "#/components/schemas/postThingsForm" });
    const names = ["postThingsBody", "postThingsForm"].map((name) => {
      const schema = own.components["schemas"]?.[name] as { properties: object };
      return Object.keys(schema.properties);
    });
    expect(names).toEqual([
      ["title", "at"],
      ["file", "title", "at"],
    ]);
  });

  it("prefers a route's own description of its body", () => {
    expect(ownBodyOf({ body: Type.Array(Type.Integer(), { examples: [[1, 2]] }) })).toEqual({
      required: true,
      content: { [jsonBody]: { schema: { type: "array", items: { type: "integer" } }, example: [1, 2] } },
    });
    const nothing = { schema: { type: "object", properties: {} }, example: {} };
    expect(ownBodyOf({ body: Type.Object({}, { examples: [{}] }) })).toEqual({
      required: false,
      content: { [jsonBody]: nothing, [multipartBody]: nothing },
    });
    expect(ownBodyOf({ body: Type.String({ format: "binary" }), consumes: ["image/png"] })).toEqual({
      required: true,
      content: { "image/png": { schema: { type: "string", format: "binary" } } },
    });
  });

  it("names the content types and headers of responses", () => {
    const response = {
      200: bytes(["text/csv", "image/png"], "A table"),
      201: withHeaders(
        { location: Type.String({ description: "where" }), tag: Type.Optional(Type.String()) },
        Type.Null(),
      ),
    };
    const own = openApiDocument([route("GET", "/api/things/", { response })], "https://a.org");
    const table = { schema: { type: "string", format: "binary", description: "A table" } };
    expect(own.paths["/api/things/"]?.["get"]?.responses).toEqual({
      "200": { description: "A table", content: { "text/csv": table, "image/png": table } },
      "201": {
        description: "Created",
        headers: {
          location: { description: "where", required: true, schema: { type: "string" } },
          tag: { schema: { type: "string" } },
        },
      },
      default: { $ref: "#/components/responses/Refusal" },
    });
  });

  it("has HEAD only where there is no GET", () => {
    const own = openApiDocument(
      [route("GET", "/a/"), route("HEAD", "/a/"), route("HEAD", "/b/")],
      "https://a.org",
    );
    expect(Object.entries(own.paths).map(([path, item]) => [path, Object.keys(item)])).toEqual([
      ["/a/", ["get"]],
      ["/b/", ["head"]],
    ]);
    expect(renderSchemaPage(testSite, own)).toContain("curl --head ");
  });

  it("names the members that a member needs, and one of two that are needed", () => {
    const engine = { ...text({}), needs: "at" };
    expect(tableBodyOf({ at: url({}), engine })).toMatchObject({
      required: false,
      schema: { dependentRequired: { engine: ["at"] } },
    });
    expect(tableBodyOf({ at: url({}), id: { ...key({}), insteadOf: "at" } }).required).toBe(true);
  });
});

describe("the page of the schema", () => {
  const markup = renderSchemaPage(testSite, document);

  it("describes every operation, with an example for a terminal", () => {
    for (const name of ["getThings", "postThings", "putThingsById"]) expect(markup).toContain(`id="${name}"`);
    expect(markup).toContain("curl &#39;https://quire.example.org/api/things/?page=2&#38;kind=&#39;");
    expect(markup).toContain("curl -X POST &#39;https://quire.example.org/api/things/&#39;");
    expect(markup).toContain("Authorization: Bearer TOKEN");
    expect(markup.match(/<script [^>]*>/g)).toEqual([`<script type="module" src="${testSite.script}">`]);
  });

  it("escapes every text for the shell and for the page", () => {
    const hostile = { examples: [[`'; rm -rf / #<b>`]] };
    const own = openApiDocument(
      [route("POST", "/api/things/", { body: Type.Array(Type.String(), hostile) })],
      "https://a.org",
    );
    const shown = renderSchemaPage(testSite, own).replaceAll("&#39;", "'");
    expect(shown).toContain(`"'\\''; rm -rf / #&#60;b&#62;`.replace('"', "&#34;"));
    expect(shown).not.toContain("<b>;");
  });
});
