import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pageLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { type Site, pageSecurityPolicy } from "../../http/browsable/page-shell.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { bodyOf, shortBodyLimit } from "../../http/request/body.ts";
import { decodeCursor } from "../../http/request/cursor.ts";
import { idNeighbours, pageLinks } from "../../http/request/pagination.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { sendPage } from "../../http/response/representation.ts";
import { type AddressSettings, addressesOf } from "../../http/text/addresses.ts";
import { countFindable } from "../../resources/documents/search/count-store.ts";
import { oembedLink } from "../../resources/embeds/discovery.ts";
import { frameMarkup, projectFrameSize } from "../../resources/embeds/present.ts";
import { createProject } from "../../resources/projects/change-projects.ts";
import {
  type ProjectFilters,
  type ProjectRow,
  findNamedProject,
  listProjects,
} from "../../resources/projects/list-store.ts";
import { projectPath } from "../../resources/projects/present.ts";
import { newProjectFields } from "../../resources/projects/schema.ts";
import { listSharedProjects } from "../../resources/projects/shared-store.ts";
import { findUsers } from "../../resources/users/list-store.ts";
import { deskOptions, sendDesk } from "../desk/desk-answer.ts";
import { listedPage, searchedPage } from "../document-lists.ts";
import { listSecurityPolicy } from "../document-rows.ts";
import { readTheme } from "../embed-page.ts";
import { type ProjectPageView, renderEmbeddedProject, renderProjectPage } from "./project-page.ts";
import { type ProjectGroup, renderProjectsPage } from "./projects-page.ts";
import { feedLink } from "../feeds/feed.ts";
import { html } from "../../http/text/html.ts";
import {
  type SessionViewer,
  formSender,
  leadToSignIn,
  sessionViewer,
} from "../../http/request/session-viewer.ts";
import { renderSharedPage } from "./shared-page.ts";

const groups: Readonly<Record<ProjectGroup, ProjectFilters>> = {
  pinned: { pinned: true },
  own: { isOwn: true },
  shared: { isShared: true },
  public: { private: false },
};
const groupNames = Object.keys(groups) as ProjectGroup[];

/** The number of projects of each group on the first page. */
const maxInGroup = 10;

/** The maximum number of projects on the page of what others have shared. */
const maxShared = 200;

/** The path of the list of projects on the host of the session. */
const projectsPath = ({ api }: Pick<Site, "api">): string => api.replace(/api\/$/, "projects/");

/** The list of projects, the page of each, and what others have shared with the viewer. */
export function projectPageRoutes(app: FastifyInstance, context: Context): void {
  projectListRoutes(app, context);
  projectRoute(app, context);
  sharedRoute(app, context);
}

function projectListRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context;

  app.get("/projects/", { schema: {} }, async (request, reply) => {
    const viewer = sessionViewer(request);
    const group = groupNames.find((name) => name === queryOf(request).last("show"));
    const lists =
      viewer !== null && group === undefined && queryOf(request).last("cursor") === undefined
        ? await firstOfGroups(request)
        : await oneList(request, group ?? null);
    const creating =
      viewer?.mayWrite === true ? { csrfToken: viewer.csrfToken, action: projectsPath(app.site) } : null;
    const page = renderProjectsPage({ site: visitedSite(request), creating, ...lists });
    return sendPage(reply.header("content-security-policy", pageSecurityPolicy), page);
  });

  app.post("/projects/", { schema: {}, bodyLimit: shortBodyLimit }, async (request, reply) => {
    const viewer = formSender(request);
    const row = await createProject(context, viewer, membersIn(newProjectFields, bodyOf(request)));
    return reply.redirect(projectPathOf(request, row), 303);
  });

  leadToSlash(app, "/projects/");

  async function oneList(request: FastifyRequest, group: ProjectGroup | null) {
    const query = queryOf(request);
    const cursor = decodeCursor(query.last("cursor"), null);
    const filters = group === null ? {} : groups[group];
    const page = await listProjects(database, request.viewer, filters, cursor, pageLimits.usual);
    const projects = page.rows.map((row) =>
      Object.assign(row, { href: addressOf(context.config, request, row) }),
    );
    const { web } = addressesOf(config, request);
    return {
      lists: [{ group, projects, more: null }],
      ...pageLinks(`${web}/projects/`, query, idNeighbours(page, cursor)),
    };
  }

  async function firstOfGroups(request: FastifyRequest) {
    const { web } = addressesOf(config, request);
    const first = { key: null, reverse: false, offset: 0, ordering: null };
    // A project may belong to several groups, and stands in the first of them. So many rows are enough for each group.
    const pages = await Promise.all(
      groupNames.map((group, index) =>
        listProjects(database, request.viewer, groups[group], first, maxInGroup * (index + 1)),
      ),
    );
    const listed = new Set<number>();
    const lists = pages.map(({ rows, after }, index) => {
      const group = groupNames[index] ?? "public";
      const others = rows.filter(({ id }) => !listed.has(id));
      const projects = others
        .slice(0, maxInGroup)
        .map((row) => Object.assign(row, { href: addressOf(context.config, request, row) }));
      for (const { id } of projects) listed.add(id);
      const hasMore = after || others.length > maxInGroup;
      return { group, projects, more: hasMore ? `${web}/projects/?show=${group}` : null };
    });
    return { lists, previous: null, next: null };
  }
}

function projectRoute(app: FastifyInstance, context: Context): void {
  const { config, database } = context;

  // The name is the id with the slug before or after it: both kinds of address are in use.
  app.get("/projects/:name/", { schema: {}, config: { takesLongQuery: true } }, async (request, reply) => {
    const { name } = request.params as { name: string };
    const project = await findNamedProject(database, request.viewer, name);
    if (project === null) throw notFound();
    const query = queryOf(request);
    const addresses = addressesOf(config, request);
    const href = addressOf(context.config, request, project);
    const frame = `${href}?embed=1`;
    const view: ProjectPageView = {
      site: visitedSite(request),
      project,
      href,
      content: await contentOf(request, project, `/projects/${encodeURIComponent(name)}/`),
      embed: project.private
        ? null
        : {
            frame: `${projectPathOf(request, project)}?embed=1`,
            code: frameMarkup({
              kind: "project",
              title: project.title,
              source: frame,
              size: projectFrameSize,
              limits: {},
            }),
          },
      head: html`${oembedLink(addresses, projectPath(project), project.title)}
      ${!project.private && feedLink(addresses, `?project=${project.id}`, project.title)}`,
    };
    const shown = view.content.kind === "list" ? view.content.documents : view.content.found;
    if (query.last("embed") === "1") {
      const policy = listSecurityPolicy(shown).replace("frame-ancestors 'none'", "frame-ancestors *");
      const page = renderEmbeddedProject(view, readTheme(query.last("theme")));
      return sendPage(reply.header("content-security-policy", policy), page);
    }
    const viewer = sessionViewer(request);
    if (viewer !== null) return sendWorkplace(context, request, reply, viewer, { view, project });
    const policy = `${listSecurityPolicy(shown)}; frame-src 'self'`;
    return sendPage(reply.header("content-security-policy", policy), renderProjectPage(view, null));
  });

  leadToSlash(app, "/projects/:name/");

  async function contentOf(
    request: FastifyRequest,
    { id }: ProjectRow,
    path: string,
  ): Promise<ProjectPageView["content"]> {
    const query = queryOf(request);
    if ((query.last("q") ?? "").trim() === "") {
      const { documents, previous, next } = await listedPage(context, request, {
        path,
        query,
        filters: { project: [id] },
      });
      const count = await countFindable(context.database, request.viewer, id);
      return { kind: "list", count, documents, previous, next };
    }
    const inProject = query.with("project", String(id)).with("projects", null);
    const answer = await searchedPage(context, request, { path, shown: query, query: inProject });
    return { kind: "search", ...answer };
  }
}

async function sendWorkplace(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  viewer: SessionViewer,
  { view, project }: { view: ProjectPageView; project: ProjectRow },
): Promise<FastifyReply> {
  const { site } = reply.server;
  const own = {
    project: project.id,
    projects: projectsPath(site),
    projectPage: view.href,
    mailIn: site.mailIn ?? "",
  };
  const options = deskOptions(context, request, viewer);
  return sendDesk(context, request, reply, renderProjectPage(view, { own, options }));
}

function sharedRoute(app: FastifyInstance, context: Context): void {
  const { database } = context;

  app.get("/shared/", { schema: {} }, async (request, reply) => {
    const viewer = sessionViewer(request);
    if (viewer === null) return leadToSignIn(reply, app.site.shared);
    const first = { key: null, reverse: false, offset: 0, ordering: null };
    const { rows } = await listSharedProjects(database, viewer, first, maxShared);
    const users = await findUsers(
      database,
      rows.flatMap(({ added_by }) => (added_by === null ? [] : [added_by])),
    );
    const projects = rows
      .toSorted((left, right) => (right.added_at ?? "").localeCompare(left.added_at ?? ""))
      .map((row) => {
        const giver = users.get(row.added_by ?? 0);
        return Object.assign(row, {
          href: addressOf(context.config, request, row),
          access: row.access ?? "view",
          giver: giver === undefined ? null : giver.name === "" ? giver.username : giver.name,
          sharedAt: row.added_at,
        });
      });
    const { documents, next } = await documentsOfOthers(request, viewer, rows);
    const page = renderSharedPage({ site: visitedSite(request), projects, documents, next });
    return sendPage(reply.header("content-security-policy", listSecurityPolicy(documents)), page);
  });

  leadToSlash(app, "/shared/");

  async function documentsOfOthers(
    request: FastifyRequest,
    viewer: SessionViewer,
    projects: readonly { id: number }[],
  ) {
    if (projects.length === 0) return { documents: [], next: null };
    const shown = queryOf(request);
    const ids = projects.map(({ id }) => id).join(" ");
    const query = shown.with("q", `projects:(${ids}) AND NOT user:${viewer.id}`).with("sort", "-created_at");
    const { found, next } = await searchedPage(context, request, { path: "/shared/", shown, query });
    return { documents: found, next };
  }
}

/** The absolute address of a project's page. */
function addressOf(
  settings: AddressSettings,
  request: FastifyRequest,
  project: { id: number; slug: string },
): string {
  return `${addressesOf(settings, request).web}${projectPath(project)}`;
}

/** The path of a project's page on this host, for a frame within the page. */
function projectPathOf(request: FastifyRequest, project: { id: number; slug: string }): string {
  return `${request.server.site.api.slice(0, -"/api/".length)}${projectPath(project)}`;
}
