import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Dialect } from "../../database/dialect.ts";
import {
  type ProjectAccess,
  type SignedInViewer,
  type Viewer,
  anonymous,
} from "../../http/request/viewer.ts";
import {
  type DocumentKind,
  type Role,
  accessLevels,
  rightOf,
  roles,
  statuses,
} from "../../testing/access-rights.ts";
import {
  type AccessFacts,
  audiencesOf,
  editableBy,
  editableValues,
  kindOf,
  mayChangeOwner,
  mayDownload,
  mayEdit,
  mayEditDocumentsOf,
  mayKnowPeople,
  mayShare,
  mayView,
  projectsOf,
  viewerValues,
} from "./access.ts";

/* The rules for one row, against the table of rights. That those of a list agree: see access-random.test.ts. */

const owner = 1;
const organization = 10;
const shared = 20;
const unshared = 21;

const user = (values: Partial<SignedInViewer> = {}): SignedInViewer => ({
  kind: "user",
  id: 2,
  username: "reader",
  name: "Reader",
  language: "",
  timeZone: "",
  unread: 0,
  hasWork: false,
  isAdministrator: false,
  organization: null,
  organizations: new Set(),
  projects: new Map(),
  mayWrite: true,
  hasPersonalToken: false,
  csrfToken: null,
  ...values,
});
const collaborator = (access: ProjectAccess, project = shared): SignedInViewer =>
  user({ projects: new Map([[project, access]]) });
const member = user({ organizations: new Set([organization]) });

const viewers: Readonly<Record<Role, Viewer>> = {
  anonymous,
  owner: user({ id: owner, organizations: new Set([organization]) }),
  member,
  "organization admin": member,
  other: user({ organizations: new Set([organization + 1]) }),
  "project viewer": collaborator("view"),
  "project editor": collaborator("edit"),
  "project admin": collaborator("admin"),
  administrator: user({ isAdministrator: true }),
  "unshared editor": collaborator("edit", unshared),
};

const factsFor = (viewer: Viewer, document: DocumentKind): AccessFacts => ({
  ...document,
  id: 1,
  user_id: owner,
  organization_id: organization,
  sharing: viewer.kind === "user" && viewer.projects.has(shared) ? [shared] : [],
});

const kinds = accessLevels.flatMap((access) => statuses.map((status) => ({ access, status })));

/** The run of an add-on on one document. */
const runOn = (id: number) => ({ id: 1, uuid: "", event: null, documents: new Set([id]) });

describe("the rules of access for one document", () => {
  it.each(kinds)("are those of the table of rights: $access, $status", (kind) => {
    for (const role of roles) {
      const viewer = viewers[role];
      const facts = factsFor(viewer, kind);
      const right = rightOf(role, kind);
      expect([role, mayView(viewer, facts), mayEdit(viewer, facts), mayShare(viewer, facts)]).toEqual([
        role,
        "aveE".includes(right),
        "eE".includes(right),
        right === "E",
      ]);
      const changesOwner = right === "E" && (role === "owner" || role === "administrator");
      expect([role, mayChangeOwner(viewer, facts)]).toEqual([role, changesOwner]);
    }
  });

  it("give an owner who has left the organization no more than a look at a public document", () => {
    const former = user({ id: owner });
    const rightsTo = (access: string): boolean[] => {
      const facts = { ...factsFor(former, { access: "public", status: "success" }), access };
      return [mayView(former, facts), mayEdit(former, facts), mayShare(former, facts)];
    };
    expect(rightsTo("public")).toEqual([true, false, false]);
    expect(rightsTo("organization")).toEqual([true, true, true]);
    expect(rightsTo("private")).toEqual([true, true, true]);
    expect(rightsTo("invisible")).toEqual([false, false, false]);
  });

  it("let a member who also collaborates change a private document only as the project lets them", () => {
    for (const [access, expected] of [
      ["view", [true, false, false]],
      ["admin", [true, true, false]],
    ] as const) {
      const viewer = { ...member, projects: new Map([[shared, access]]) };
      const facts = factsFor(viewer, { access: "private", status: "success" });
      expect([mayView(viewer, facts), mayEdit(viewer, facts), mayShare(viewer, facts)]).toEqual(expected);
    }
  });

  it.each(kinds)("let the token of a run reach its documents alone: $access, $status", (kind) => {
    for (const viewer of Object.values(viewers)) {
      if (viewer.kind === "anonymous") continue;
      const facts = factsFor(viewer, kind);
      const rightsOf = (of: Viewer) => [mayView(of, facts), mayEdit(of, facts), mayShare(of, facts)];
      expect(rightsOf({ ...viewer, run: runOn(facts.id) })).toEqual(rightsOf(viewer));
      expect(rightsOf({ ...viewer, run: runOn(facts.id + 1) })).toEqual([false, false, false]);
    }
  });

  it("let collaborators change a document if one of its projects lets them", () => {
    const of = { id: 1, user_id: owner, organization_id: organization };
    const facts = { ...of, access: "private", status: "success" };
    const projects = new Map<number, ProjectAccess>([
      [shared, "view"],
      [unshared, "admin"],
    ]);
    const both = user({ projects });
    expect(mayEdit(both, { ...facts, sharing: [shared, unshared] })).toBe(true);
    expect(mayEdit(both, { ...facts, sharing: [shared] })).toBe(false);
  });
});

const guest = (id: number, download: boolean): Viewer => ({
  kind: "anonymous",
  guest: { documents: new Map([[id, { mayDownload: download }]]) },
});

describe("a guest", () => {
  it.each(kinds)("sees what a link covers unless it is deleted or invisible: $access, $status", (kind) => {
    const isThere = kind.access !== "invisible" && kind.status !== "deleted";
    const facts = factsFor(anonymous, kind);
    const isForAll = mayView(anonymous, facts);
    for (const download of [true, false]) {
      const covered = guest(facts.id, download);
      expect([mayView(covered, facts), mayEdit(covered, facts), mayShare(covered, facts)]).toEqual([
        isThere,
        false,
        false,
      ]);
      expect(mayDownload(covered, facts)).toBe(isForAll || download);
      expect(mayView(guest(facts.id + 1, download), facts)).toBe(isForAll);
    }
  });
});

describe("a viewer who may see a document", () => {
  const facts = factsFor(member, { access: "organization", status: "success" });

  it("may download it if they are signed in, or if everyone may see it", () => {
    expect(mayDownload(member, facts)).toBe(true);
    expect(mayDownload(anonymous, { ...facts, access: "public" })).toBe(true);
    expect(mayDownload(anonymous, facts)).toBe(false);
    expect(mayDownload(guest(facts.id + 1, true), facts)).toBe(false);
  });

  it("may know who is behind it unless they are a guest", () => {
    expect([member, anonymous, guest(facts.id, true)].map(mayKnowPeople)).toEqual([true, true, false]);
  });
});

describe("the values by which a query knows its viewer", () => {
  const dialect = { list: (values) => values } as Pick<Dialect, "list"> as Dialect;

  it("are empty for a visitor", () => {
    expect(projectsOf(dialect, anonymous)).toEqual([]);
    const nothing = { viewerId: null, viewerOrganizations: [], editableProjects: [] };
    expect(editableValues(dialect, anonymous)).toEqual(nothing);
    expect([kindOf(anonymous), viewerValues(dialect, anonymous)]).toEqual(["all", {}]);
  });

  it("name a person's organizations and projects, and the projects whose documents they may change", () => {
    expect([kindOf(member), viewerValues(dialect, member)]).toEqual(["user", {}]);
    const projects = new Map<number, ProjectAccess>([
      [shared, "view"],
      [unshared, "edit"],
    ]);
    const viewer = user({ id: 7, organizations: new Set([organization]), projects });
    expect(kindOf(viewer)).toBe("collaborator");
    expect(viewerValues(dialect, viewer)).toEqual({ viewerProjects: [shared, unshared] });
    const values = { viewerId: 7, viewerOrganizations: [organization] };
    expect(editableValues(dialect, viewer)).toEqual({ ...values, editableProjects: [`project:${unshared}`] });
  });

  it("let a visitor change nothing", () => {
    expect(editableBy(dialect, anonymous).toOperationNode()).toEqual(sql`1 = 0`.toOperationNode());
  });
});

describe("the audiences of a viewer", () => {
  it("are the user, each organization and each project, and none of a visitor", () => {
    const viewer = user({
      id: 7,
      organizations: new Set([3, 4]),
      projects: new Map([
        [5, "view"],
        [6, "admin"],
      ]),
    });
    expect(audiencesOf(viewer)).toEqual([
      "user:7",
      "organization:3",
      "organization:4",
      "project:5",
      "project:6",
    ]);
    expect(audiencesOf(anonymous)).toEqual([]);
  });
});

describe("a collaborator of a project", () => {
  it.each([
    ["view", false],
    ["edit", true],
    ["admin", true],
  ] as const)("with the access %s may change its documents: %s", (access, expected) => {
    expect(mayEditDocumentsOf(collaborator(access), shared)).toBe(expected);
    expect(mayEditDocumentsOf(collaborator(access), unshared)).toBe(false);
  });
});
