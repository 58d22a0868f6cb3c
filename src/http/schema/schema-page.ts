import { STATUS_CODES } from "../text/node-http.ts";
import { jsonBody } from "../request/body.ts";
import { type Html, type HtmlContent, html } from "../text/html.ts";
import type { JsonSchema } from "../fields/json-schema.ts";
import type { ApiOperation, ObjectSchema, OpenApiDocument, Parameter } from "./openapi-types.ts";
import { type Site, renderPage } from "../browsable/page-shell.ts";
import { authentication, quickStart, tryForm } from "./guide.ts";

/** The parts of the API that are there for the clients of DocumentCloud alone, and come last. */
const stubs = new Set(["addons", "addon_runs", "addon_events", "flatpages"]);

/** The OpenAPI document for people, after the first steps. Its script searches the page, and opens addresses. */
export function renderSchemaPage(site: Site, document: OpenApiDocument): string {
  const url = document.servers[0]?.url ?? "";
  const root = site.api.slice(0, -"/api/".length);
  const names = document.tags.map(({ name }) => name);
  const tags = [...names.filter((name) => !stubs.has(name)), ...names.filter((name) => stubs.has(name))];
  const main = html`
    <nav class="breadcrumbs" aria-label="Breadcrumbs">
      <ol>
        <li><a href="${site.api}">Api Root</a></li>
        <li><a href="${site.api}schema/?format=api">Schema</a></li>
        <li aria-current="page">Documentation</li>
      </ol>
    </nav>
    <h1>The API</h1>
    <p class="description">
      ${`Everything below ${url}. `}Made from the same routes that answer; programs read it at
      <a href="${site.api}schema/?format=json">/api/schema/</a>.
    </p>
    <div class="api-guide">
      <nav class="contents" aria-label="Contents">
        <form class="field" role="search" data-finds="operations" hidden>
          <label for="find-operation">Find an operation</label>
          <input type="search" id="find-operation" autocomplete="off" />
          <p class="help" role="status"></p>
        </form>
        <ul>
          <li><a href="#quick-start">Quick start</a></li>
          <li><a href="#authentication">Authentication</a></li>
          ${tags.map((name) => html`<li><a href="#${name}">${name}</a></li>`)}
          <li><a href="#records">Records</a></li>
        </ul>
      </nav>
      <div>
        ${quickStart(`${url}/api/`)} ${authentication(site)}
        ${tags.map((name) => tagSection(name, document, { api: url, root }))} ${recordSection(document)}
      </div>
    </div>
  `;
  const head = html`<script type="module" src="${site.script}"></script>`;
  return renderPage({ site, title: "The API", section: "api", robots: "noindex,noarchive", head, main });
}

/** The address of the API without `/api/`, and its path on this site. */
interface Base {
  api: string;
  root: string;
}

function tagSection(tag: string, document: OpenApiDocument, base: Base): Html {
  const paths = Object.entries(document.paths).filter(([, item]) =>
    Object.values(item).some(({ tags }) => tags.includes(tag)),
  );
  return html`<section class="operations" aria-labelledby="${tag}">
    <h2 id="${tag}">${tag}</h2>
    ${paths.map(
      ([path, item]) =>
        html`<div class="path-of-api">
          <h3 class="path">${path}</h3>
          <div class="panels">
            ${Object.entries(item).map(([method, operation]) =>
              operationPanel(document, method.toUpperCase(), { ...base, path }, operation),
            )}
          </div>
        </div>`,
    )}
  </section>`;
}

function operationPanel(
  document: OpenApiDocument,
  method: string,
  { api, root, path }: Base & { path: string },
  operation: ApiOperation,
): Html {
  const { operationId, summary, description, parameters, requestBody, responses, security } = operation;
  const needsSignIn = security.every((one) => Object.keys(one).length > 0);
  return html`<details class="panel" id="${operationId}">
    <summary><b class="method">${method}</b> ${summary}</summary>
    <div class="panel-content">
      ${description !== undefined && html`<p class="description">${description}</p>`}
      <p class="help">
        ${needsSignIn ? "For those who have signed in." : "For everyone; who has signed in may get more."}
      </p>
      ${parameters.length > 0 && table("Parameters", parameters.map(parameterRow))}
      ${requestBody !== undefined && bodyTable(document, requestBody)}
      ${table(
        "Answers",
        Object.entries(responses).map((response) => responseRow(document, response)),
      )}
      <h4>Example</h4>
      <pre>${curl(method, `${api}${path}`, operation, needsSignIn)}</pre>
      ${method !== "HEAD" && path.startsWith("/api/") && tryForm(`${root}${path}`, operation)}
    </div>
  </details>`;
}

type Row = readonly [name: string, about: HtmlContent];

function table(name: string, rows: readonly Row[]): Html {
  return html`<h4>${name}</h4>
    <dl class="facts">
      ${rows.map(
        ([term, about]) =>
          html`<div>
            <dt><code>${term}</code></dt>
            <dd>${about}</dd>
          </div>`,
      )}
    </dl>`;
}

function parameterRow({ name, in: location, required, description, schema }: Parameter): Row {
  const kinds = {
    path: ["in the path, ", typeInWords(schema)],
    header: "a header",
    query: [required && "required, ", typeInWords(schema)],
  };
  return [name, described(kinds[location], description)];
}

function bodyTable(
  document: OpenApiDocument,
  { content }: NonNullable<ApiOperation["requestBody"]>,
): HtmlContent {
  const schemas = Object.values(content).map(({ schema }) => schema);
  const isList = schemas[0]?.["type"] === "array" || resolved(document, schemas[0] ?? {})["type"] === "array";
  // A form may also contain a file. If several types of body have a member, the first type says whether it is required.
  const rows = new Map(schemas.toReversed().flatMap((schema) => memberRows(itemOf(document, schema))));
  return table(`Body${isList ? ", a list of these" : ""}: ${Object.keys(content).join(" or ")}`, [...rows]);
}

/** The schema of one object that a body holds. */
function itemOf(document: OpenApiDocument, schema: JsonSchema): JsonSchema {
  const { items, oneOf, anyOf = oneOf, ...whole } = resolved(document, schema);
  if (items !== undefined) return itemOf(document, items as JsonSchema);
  const [first] = (anyOf ?? []) as readonly JsonSchema[];
  return first === undefined ? whole : itemOf(document, first);
}

function memberRows(schema: JsonSchema): Row[] {
  const { properties = {}, required = [] } = schema as ObjectSchema;
  return Object.entries(properties).map(([name, property]): Row => {
    const { description } = property;
    const kind = [required.includes(name) && "required, ", typeInWords(property)];
    return [name, described(kind, description as string | undefined)];
  });
}

/** Whether this schema is the body of one operation, which already shows it. */
function isBody(name: string): boolean {
  return /^(?:post|put|patch)[A-Z]/.test(name);
}

/** The members of each record, once: the operations link to this section. */
function recordSection(document: OpenApiDocument): Html {
  const schemas = Object.entries(document.components["schemas"] ?? {}) as [string, JsonSchema][];
  return html`<section class="operations" aria-labelledby="records">
    <h2 id="records">Records</h2>
    <div class="panels">
      ${schemas
        .filter(([name]) => !isBody(name))
        .map(
          ([name, schema]) =>
            html`<details class="panel" id="${recordAnchor(name)}">
              <summary>${name}</summary>
              <div class="panel-content">
                ${
                  typeof schema["description"] === "string" &&
                  html`<p class="description">${schema["description"]}</p>`
                }
                ${
                  schema["properties"] === undefined
                    ? html`<p>${typeInWords(schema)}</p>`
                    : table("Members", memberRows(schema))
                }
              </div>
            </details>`,
        )}
    </div>
  </section>`;
}

const recordAnchor = (name: string): string => `record-${name}`;

function described(kind: HtmlContent, description: string | undefined): HtmlContent {
  return [kind, description !== undefined && html`<br />${description}`];
}

function responseRow(
  document: OpenApiDocument,
  [status, given]: [string, ApiOperation["responses"][string]],
): Row {
  const { description, content = {} } = resolvedResponse(document, given);
  const words = description ?? STATUS_CODES[status] ?? "";
  const kinds = Object.entries(content).map(([type, { schema }]) => [
    ` (${type}): `,
    typeInWords(schema as JsonSchema),
  ]);
  return [status, [words, ...kinds]];
}

/** The type in a few words: "string or null, at most 255 characters", "a list of Document", with links to records. */
function typeInWords(schema: JsonSchema): HtmlContent {
  const { type, enum: choices, maxLength, format, items, additionalProperties, $ref } = schema;
  if (typeof $ref === "string") {
    const name = nameIn($ref);
    return html`<a href="#${recordAnchor(name)}">${name}</a>`;
  }
  const either = (schema["oneOf"] ?? schema["anyOf"]) as readonly JsonSchema[] | undefined;
  if (either !== undefined) {
    return either.map((one, index) => [index > 0 && " or ", typeInWords(one)]);
  }
  if (Array.isArray(choices)) {
    const shown = choices.slice(0, 12).map((one) => JSON.stringify(one));
    return `${shown.join(", ")}${choices.length > 12 ? ` and ${choices.length - 12} more` : ""}`;
  }
  const orNull = Array.isArray(type) && type.includes("null") && " or null";
  if (items !== undefined) return ["a list of: ", typeInWords(items as JsonSchema), orNull];
  if (typeof additionalProperties === "object" && schema["properties"] === undefined) {
    return ["an object of: ", typeInWords(additionalProperties as JsonSchema), orNull];
  }
  const named = Array.isArray(type) ? type.join(" or ") : typeof type === "string" ? type : "JSON";
  const kind = typeof format === "string" ? `${named} (${format})` : named;
  return typeof maxLength === "number" ? `${kind}, at most ${maxLength} characters` : kind;
}

const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

function resolved({ components }: OpenApiDocument, schema: JsonSchema): JsonSchema {
  const { $ref } = schema;
  return typeof $ref === "string" ? ((components["schemas"]?.[nameIn($ref)] ?? {}) as JsonSchema) : schema;
}

type Response = ApiOperation["responses"][string];

function resolvedResponse({ components }: OpenApiDocument, response: Response & { $ref?: string }): Response {
  const { $ref } = response;
  return $ref === undefined ? response : (components["responses"]?.[nameIn($ref)] ?? {});
}

const curlOptions: Readonly<Record<string, string>> = { GET: "", HEAD: " --head" };

function curl(
  method: string,
  address: string,
  { parameters, requestBody }: ApiOperation,
  needsSignIn: boolean,
): string {
  const wanted = parameters.filter(
    (one) => one.in === "query" && (one.required || one.example !== undefined),
  );
  const query = new URLSearchParams(
    wanted.map(({ name, example }): [string, string] => [name, String(example ?? "")]),
  ).toString();
  const body = requestBody?.content[jsonBody]?.example;
  const lines = [
    `curl${curlOptions[method] ?? ` -X ${method}`} ${quoted(`${address}${query === "" ? "" : `?${query}`}`)}`,
    ...(needsSignIn ? [`-H 'Authorization: Bearer TOKEN'`] : []),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: ${jsonBody}'`, `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ];
  return lines.join(" \\\n  ");
}

/** Quotes a text for a shell. Within single quotes, every character but the quote itself is literal. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
