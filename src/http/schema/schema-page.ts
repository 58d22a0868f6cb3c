import { STATUS_CODES } from "node:http";
import { jsonBody } from "../request/body.ts";
import { type Html, type HtmlContent, html } from "../text/html.ts";
import { jsonMarkup } from "../browsable/json-markup.ts";
import type { JsonSchema } from "./field-schema.ts";
import type { ApiOperation, OpenApiDocument, Parameter } from "./openapi-document.ts";
import { type Site, renderPage } from "../browsable/page-shell.ts";

/** The OpenAPI document for people: everything on one page, without scripts. */
export function renderSchemaPage(site: Site, document: OpenApiDocument): string {
  const url = document.servers[0]?.url ?? "";
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
    <nav class="contents" aria-label="Contents">
      <ul>
        ${document.tags.map(({ name }) => html`<li><a href="#${name}">${name}</a></li>`)}
      </ul>
    </nav>
    ${document.tags.map(({ name }) => tagSection(name, document, url))}
  `;
  return renderPage({ site, title: "The API", section: "api", robots: "noindex,noarchive", main });
}

function tagSection(tag: string, document: OpenApiDocument, api: string): Html {
  const paths = Object.entries(document.paths).filter(([, item]) =>
    Object.values(item).some(({ tags }) => tags.includes(tag)),
  );
  return html`<section class="operations" aria-labelledby="${tag}">
    <h2 id="${tag}">${tag}</h2>
    ${paths.map(
      ([path, item]) =>
        html`<h3 class="path">${path}</h3>
          <div class="panels">
            ${Object.entries(item).map(([method, operation]) =>
              operationPanel(document, method.toUpperCase(), `${api}${path}`, operation),
            )}
          </div>`,
    )}
  </section>`;
}

function operationPanel(
  document: OpenApiDocument,
  method: string,
  address: string,
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
      ${table("Answers", Object.entries(responses).map(responseRow))}
      <h4>Example</h4>
      <pre>${curl(method, address, operation, needsSignIn)}</pre>
      ${responses["200"]?.content?.[jsonBody] !== undefined && answerSchema(responses["200"].content[jsonBody].schema)}
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

function parameterRow({ name, in: place, required, description, schema }: Parameter): Row {
  const places = { path: "in the path", header: "a header", query: typeInWords(schema) };
  const kind = place === "query" && required ? `required, ${places.query}` : places[place];
  return [name, described(kind, description)];
}

function bodyTable(
  document: OpenApiDocument,
  { content }: NonNullable<ApiOperation["requestBody"]>,
): HtmlContent {
  const types = Object.keys(content);
  const [first] = Object.values(content);
  const schema = resolved(document, first?.schema ?? {});
  const isList = schema["type"] === "array";
  const item = isList ? resolved(document, (schema["items"] as JsonSchema | undefined) ?? {}) : schema;
  const { properties = {}, required = [] } = item as {
    properties?: Record<string, JsonSchema>;
    required?: readonly string[];
  };
  const rows = Object.entries(properties).map(([name, property]): Row => {
    const { description, default: given } = property;
    const kind = [
      required.includes(name) ? "required" : "",
      typeInWords(property),
      given === undefined ? "" : `${JSON.stringify(given)} if not given`,
    ];
    return [
      name,
      described(kind.filter((part) => part !== "").join(", "), description as string | undefined),
    ];
  });
  return table(`Body${isList ? ", a list of these" : ""}: ${types.join(" or ")}`, rows);
}

function described(kind: string, description: string | undefined): HtmlContent {
  return [kind, description !== undefined && (kind === "" ? description : html`<br />${description}`)];
}

function responseRow([status, { description, content }]: [string, ApiOperation["responses"][string]]): Row {
  const types = Object.keys(content ?? {});
  const words = description ?? (status === "default" ? "A refusal says why" : (STATUS_CODES[status] ?? ""));
  return [status, `${words}${types.length === 0 ? "" : ` (${types.join(", ")})`}`];
}

function answerSchema(schema: unknown): Html {
  return html`<details>
    <summary>The shape of the answer (JSON Schema)</summary>
    <pre class="json">${jsonMarkup(JSON.stringify(schema))}</pre>
  </details>`;
}

/** As short as it can be said: "string or null, at most 255 characters". */
function typeInWords(schema: JsonSchema): string {
  const { type, enum: choices, maxLength, format } = schema;
  const named = Array.isArray(type) ? type.join(" or ") : typeof type === "string" ? type : "JSON";
  if (Array.isArray(choices)) {
    const shown = choices.slice(0, 12).map((one) => JSON.stringify(one));
    return `${shown.join(", ")}${choices.length > 12 ? ` and ${choices.length - 12} more` : ""}`;
  }
  const kind = typeof format === "string" ? `${named} (${format})` : named;
  return typeof maxLength === "number" ? `${kind}, at most ${maxLength} characters` : kind;
}

function resolved({ components }: OpenApiDocument, schema: JsonSchema): JsonSchema {
  const { $ref } = schema;
  if (typeof $ref !== "string") return schema;
  return (components["schemas"]?.[$ref.slice($ref.lastIndexOf("/") + 1)] ?? {}) as JsonSchema;
}

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
    `curl${method === "GET" ? "" : ` -X ${method}`} ${quoted(`${address}${query === "" ? "" : `?${query}`}`)}`,
    ...(needsSignIn ? [`-H 'Authorization: Bearer TOKEN'`] : []),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: ${jsonBody}'`, `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ];
  return lines.join(" \\\n  ");
}

/** Within single quotes a shell leaves everything as it is, but for the quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
