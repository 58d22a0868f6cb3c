import { type FastifyInstance, fastify } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bodyOf, jsonBody, multipartBody, readBodies } from "../request/body.ts";
import { answerErrors } from "../response/errors.ts";
import { membersIn, readFields } from "../fields/fields.ts";
import { boolean, choice, key, listOf, text } from "../fields/field-kinds.ts";
import { RequestLimits } from "../request/request-limits.ts";
import { RequestLog } from "../response/request-log.ts";
import { Query } from "../request/query.ts";
import { content } from "../response/representation.ts";
import { readRequests } from "../requests.ts";
import { resourceRoute } from "../resource-route.ts";
import { testSite } from "../../testing/site.ts";
import type { View } from "./view.ts";
import { type Viewer, anonymous } from "../request/viewer.ts";

const fields = {
  title: text({ required: true, help: "What it says", maxLength: 9 }),
  access: choice(["public", "private"], { default: "private" }),
  noindex: boolean({ default: false }),
  user: key({ nullable: true }),
  projects: listOf(key({}), { default: [] }),
  old: text({ hidden: true }),
};

const list: View = {
  name: "Thing List",
  description: "",
  parses: [jsonBody, multipartBody],
  fields: { POST: fields, PUT: fields, PATCH: fields },
};
const instance: View = { ...list, name: "Thing Instance", fields: { PUT: fields, PATCH: fields } };

const record = { id: 7, title: "Budget", access: "public", noindex: true, user: { id: 3 }, projects: [1, 2] };

const person = (more: object = {}): Viewer => ({
  kind: "user",
  id: 1,
  username: "mara",
  name: "",
  isAdministrator: false,
  organization: null,
  organizations: new Set(),
  projects: new Map(),
  mayWrite: true,
  language: "",
  timeZone: "",
  unread: 0,
  hasWork: false,
  hasPersonalToken: false,
  csrfToken: "secret",
  ...more,
});

const rawIn = (markup: string, id: string): unknown => {
  const [, raw = ""] = new RegExp(`<textarea id="${id}-raw"[^>]*>([^<]*)</textarea>`).exec(markup) ?? [];
  return JSON.parse(raw.replaceAll("&#34;", '"'));
};

const unlimited = { requestsPerNetwork: 0, requestsPerPerson: 0, requestsPerToken: 0, trustProxy: false };

describe("the forms of a page", () => {
  let app: FastifyInstance;
  let viewer: Viewer;
  let offers: ("POST" | "PUT" | "PATCH" | "DELETE")[];

  beforeAll(() => {
    app = fastify({
      routerOptions: {
        querystringParser: (query) => Query.parse(query) as unknown as Record<string, unknown>,
      },
    });
    app.decorate("site", testSite);
    app.setSerializerCompiler(() => JSON.stringify);
    readBodies(app);
    const log = { info: () => undefined, isLevelEnabled: () => false } as never;
    readRequests(app, {
      log,
      requestLog: new RequestLog(log, { metrics: null, addressOf: null }),
      limits: new RequestLimits(unlimited, 1),
      authenticate: () => Promise.resolve(viewer),
      allowedOrigins: [],
      addresses: { url: null, webUrl: null, assetUrl: null },
      hstsSeconds: 0,
      isReadOnly: false,
    });
    answerErrors(app, () => "");
    const none = { schema: {}, answer: () => undefined };
    resourceRoute(app, {
      path: "/api/things/",
      view: list,
      get: {
        schema: { gives: {} },
        answer: () => content({ next: null, results: [record] }, offers),
      },
      post: {
        schema: { gives: {} },
        answer: (request) => ({
          id: 8,
          ...readFields(fields, membersIn(fields, bodyOf(request)), "whole"),
        }),
      },
      put: none,
      patch: none,
      delete: none,
    });
    resourceRoute(app, {
      path: "/api/things/:id/",
      view: instance,
      get: {
        schema: { gives: {} },
        answer: () => content(record, offers),
      },
      put: none,
      patch: none,
      delete: none,
    });
    resourceRoute(app, {
      path: "/api/send/",
      view: { ...list, name: "Send", leadsTo: "/api/things/" },
      post: none,
    });
  });
  afterAll(() => app.close());

  async function page(
    target: string,
    as: Viewer,
    what: typeof offers,
    form?: Record<string, string>,
  ): Promise<{ status: number; markup: string; policy: string }> {
    viewer = as;
    offers = what;
    const body = new FormData();
    for (const [name, value] of Object.entries(form ?? {})) body.append(name, value);
    const sent = new Response(body);
    const answer = await app.inject({
      method: form === undefined ? "GET" : "POST",
      url: target,
      headers: {
        accept: "text/html",
        cookie: "any",
        ...(form !== undefined && { "content-type": sent.headers.get("content-type") ?? "" }),
      },
      ...(form !== undefined && { payload: Buffer.from(await sent.arrayBuffer()) }),
    });
    return {
      status: answer.statusCode,
      markup: answer.body,
      policy: String(answer.headers["content-security-policy"]),
    };
  }

  it("are omitted, like the script, for viewers who may do nothing", async () => {
    for (const one of [anonymous, person()]) {
      const { markup, policy } = await page("/api/things/7/", one, []);
      expect(markup).not.toMatch(/<section class="forms|<dialog|<script /);
      expect(policy).not.toContain("connect-src");
    }
  });

  it("are those for the methods that the response offers", async () => {
    const patch = await page("/api/things/7/", person(), ["PATCH"]);
    expect(patch.markup).toContain(`data-method="PATCH"`);
    expect(patch.markup).not.toMatch(/data-method="(PUT|DELETE|POST)"/);
    expect(patch.policy).toContain(" 'self'; connect-src 'self'");
    expect(patch.markup).toContain(`<script type="module" src="/static/forms.js">`);
    const { markup } = await page("/api/things/7/", person(), ["PUT", "PATCH", "DELETE"]);
    expect(markup).toMatch(/data-method="PUT".*data-method="PATCH"/s);
    expect(markup).toMatch(/Delete “<bdi>Budget<\/bdi>”\?/);
    expect(markup).toContain(`data-csrf="secret"`);
  });

  it("start with the current values, with ids in place of expanded objects", async () => {
    const { markup } = await page("/api/things/7/", person(), ["PUT", "PATCH"]);
    expect(rawIn(markup, "change")).toEqual({
      title: "Budget",
      access: "public",
      noindex: true,
      user: 3,
      projects: [1, 2],
    });
    expect(markup).toMatch(/id="change-title"[^>]*value="Budget"/s);
    expect(markup).toMatch(/id="change-noindex"[^>]*checked/s);
    expect(markup).not.toContain(`name="old"`);
  });

  it("carry the entity tag of the object if it is shown unfiltered", async () => {
    const { markup } = await page("/api/things/7/?format=api", person(), ["PUT"]);
    const { etag } = content(record);
    expect(markup).toContain(`data-etag="${etag.replaceAll('"', "&#34;")}"`);
    expect((await page("/api/things/7/?expand=user", person(), ["PUT"])).markup).not.toContain("data-etag");
  });

  it("of a collection add one object without a script and change several as raw data", async () => {
    const { markup } = await page("/api/things/", person(), ["POST", "PUT", "PATCH", "DELETE"]);
    expect(markup).toMatch(/method="post"\s+action="\?format=api"\s+enctype="multipart\/form-data"/);
    expect(markup).toContain(`<input type="hidden" name="csrfmiddlewaretoken" value="secret" />`);
    expect(rawIn(markup, "post")).toEqual({
      title: "",
      access: "private",
      noindex: false,
      user: null,
      projects: [],
    });
    expect(rawIn(markup, "bulk")).toEqual([
      { id: 7, title: "Budget", access: "public", noindex: true, user: 3, projects: [1, 2] },
    ]);
    expect(markup).not.toMatch(/<dialog/);
  });

  it("are shown again with rejected input and its errors", async () => {
    const form = {
      csrfmiddlewaretoken: "secret",
      title: `much "too" long`,
      access: "nobody",
      noindex: "true",
    };
    const { status, markup } = await page("/api/things/", person(), [], form);
    expect(status).toBe(400);
    expect(markup).toMatch(/id="post-title"[^>]*aria-invalid="true"[^>]*value="much &#34;too&#34; long"/s);
    expect(markup).toContain("Ensure this field has no more than 9 characters.</li>");
    expect(markup).toMatch(/<option value="nobody" selected\s*>/);
    expect(markup).toMatch(/id="post-noindex"[^>]*checked/s);
    expect(markup).toContain("This was not accepted.");
  });

  it("link to the created object", async () => {
    const form = { csrfmiddlewaretoken: "secret", title: "Budget", user: "" };
    const { status, markup } = await page("/api/things/", person(), [], form);
    expect(status).toBe(201);
    expect(markup).toContain(`<a href="8/?format=api">Go to it</a>`);
  });

  it("are not shown again without the CSRF token", async () => {
    const { status, markup } = await page("/api/things/", person(), [], { title: "Budget" });
    expect(status).toBe(403);
    expect(markup).not.toContain(`<section class="forms`);
  });

  it("are shown on a path that cannot be read", async () => {
    expect((await page("/api/send/", person(), [])).markup).toMatch(/HTTP 405.*<section class="forms"/s);
    expect((await page("/api/send/", person({ mayWrite: false }), [])).markup).not.toContain("forms");
  });

  const options = async (): Promise<{ actions?: Record<string, Record<string, unknown>> }> =>
    (await app.inject({ method: "OPTIONS", url: "/api/things/", headers: { cookie: "any" } })).json();

  it("match the actions that OPTIONS lists for viewers who may write", async () => {
    viewer = person();
    const { actions } = await options();
    expect(Object.keys(actions ?? {})).toEqual(["POST", "PUT"]);
    expect(actions?.["POST"]).toEqual({
      title: {
        type: "string",
        required: true,
        read_only: false,
        label: "Title",
        help_text: "What it says",
        max_length: 9,
      },
      access: {
        type: "choice",
        required: false,
        read_only: false,
        label: "Access",
        choices: [
          { value: "public", display_name: "public" },
          { value: "private", display_name: "private" },
        ],
      },
      noindex: { type: "boolean", required: false, read_only: false, label: "Noindex" },
      user: { type: "integer", required: false, read_only: false, label: "User" },
      projects: { type: "list", required: false, read_only: false, label: "Projects" },
    });
    for (const one of [anonymous, person({ mayWrite: false })]) {
      viewer = one;
      expect(await options()).not.toHaveProperty("actions");
    }
  });
});
