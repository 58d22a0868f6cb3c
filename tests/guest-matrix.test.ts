import { beforeAll, describe, expect, it } from "vitest";
import { type Right, type Role, columnOf, rightOf, sees } from "../src/testing/access-rights.ts";
import { type AccessWorld, type FilledDocument, absentId, accessWorld } from "../src/testing/access-world.ts";
import { type Asked, type Asker, ask } from "../src/testing/ask.ts";
import { type MatrixRow, matrixOf, targetOf } from "../src/testing/matrix.ts";
import type { Session } from "../src/testing/people.ts";
import { sendAs } from "../src/testing/requests.ts";
import { type Matrix, runRow } from "../src/testing/run-matrix.ts";
import { engines, useStarted } from "../src/testing/test-app.ts";
import { documentMatrix } from "./rights/document-matrix.ts";
import { documentRequest, documentRows, documentWords } from "./rights/documents.ts";
import { fileRequest, fileRows, fileWords } from "./rights/files.ts";
import { listRequest, listRows, listWords } from "./rights/lists.ts";
import { partRequest, partRows, partWords } from "./rights/parts.ts";

/*
 * Guests in the matrices of rights. A guest of a document, of a project and of a search, who may download, one who may
 * look at documents alone, and one who has signed in with an account that sees what is public. To what a link covers, a guest has the rights that a visitor has to a public document,
 * where a request to read names it in its address; to everything else, those of a visitor, or of the account.
 */
const guests = ["document", "project", "search", "looking", "signed in"] as const;
type Guest = (typeof guests)[number];

/** Whoever sees all that their project's collaborators see sees what the links of this test cover. */
const alike: Role = "project viewer";

const noteRows = matrixOf(`
  route                                        n        a    -       v
  GET /api/documents/:id/notes/                nothing  200  nothing 200
  GET /api/documents/:id/notes/:note/          nothing  200  nothing 200
  GET /api/documents/:id/?expand=notes,sections,user,organization,projects nothing 200 nothing 200
`);

const chosen = new Set(["public pending", "private success", "private deleted", "invisible success"]);

/** What names a document elsewhere than in the path, and a stream that lasts. */
const elsewhere = /[?&](?:document|q|id__in|url|replace)=:|\/process\/events\/|^\/api\/oembed|^\/mcp/;
/** What a guest who may only look does not get. */
const downloads = /:slug\.(?:pdf|txt)|\.csv|-p1\.txt|iiif\/:id\/text|address$/;

/** Whether a request to read is one to which a link gives the right. */
const isCovered = ({ method, name, path }: MatrixRow, role: Guest, document: FilledDocument): boolean => {
  if (sees(without(role), document)) return false;
  const isNamed = ["GET", "HEAD"].includes(method) && !elsewhere.test(`${path} ${name}`);
  return isNamed && sees(alike, document) && (role !== "looking" || !downloads.test(name));
};

/** Whose rights a guest has where no link gives them any. */
const without = (role: Guest): Role => (role === "signed in" ? "other" : "anonymous");

/** The right of a guest. */
const rightOfGuest = (row: MatrixRow, role: Guest, document: FilledDocument): Right =>
  isCovered(row, role, document) ? "a" : rightOf(without(role), document);

describe.each(engines)("what a guest may do on %s", (engine) => {
  const world = useStarted(() => accessWorld(engine));
  let matrix: Matrix<Guest, FilledDocument>;
  beforeAll(async () => {
    const documents = world.documents.filter(({ access, status }) => chosen.has(`${access} ${status}`));
    const rest = { words: documentWords, askedOf: documentRequest, effectOf: async () => "done" };
    const usual = await documentMatrix(engine, world, rest, documents);
    const { app } = world;
    const people = await openLinks(world, usual.things);
    matrix = {
      app,
      people,
      words: { ...documentWords, ...fileWords, ...partWords },
      things: usual.things,
      nameOf: usual.nameOf,
      wordFor(row, role, document) {
        if (/\/(?:table|mail)\/|original\//.test(row.name)) return null;
        // To a request that would change something, all guests are visitors.
        if (row.method !== "GET" && !["document", "signed in"].includes(role)) return null;
        if (role === "looking" && !downloads.test(row.name) && row.path !== "/files/documents/:id/*")
          return null;
        const right = rightOfGuest(row, role, document);
        const isOther = right === "v" || !row.path.includes(":id");
        if (row.method !== "GET" && role === "signed in" && isOther) return null;
        const word = row.words[columnOf(right)] ?? "";
        // To sign in again would lead to the same page.
        const plain = word === "elsewhere" && role === "signed in" ? "nothing" : word;
        // A document that waits for its file has no images, and one that is not read has no words in the index.
        const isWhole = document.status === "success" || !/^\d/.test(plain);
        return isWhole ? plain : null;
      },
      askedOf: (row, document) => askedOf(app.url, row, document),
      unless: (row, role, document) =>
        ["n", "-"].includes(rightOfGuest(row, role, document))
          ? { ...document, id: absentId.document }
          : null,
      idsOf: (_row, { id, note }) => ({ id, note }),
      maySee: (_row, _role, id) => world.shown.get(id)?.(alike) === true,
      isSelected: () => true,
      onlyReads: ({ path }) => path === "/mcp",
      copiesOf: () => Promise.reject(new Error("A guest changes nothing")),
      effectOf: async () => "done",
    };
  });

  it.each([...documentRows, ...fileRows, ...partRows, ...noteRows])("$name", (row) => runRow(matrix, row));

  it("is shown the lists that everyone is shown", async () => {
    const lists = listRows.filter(({ method, path }) => method === "GET" && path.startsWith("/api/"));
    const owner = world.people.owner?.id ?? 0;
    for (const row of lists) {
      const asked = listRequest(row, { owner, project: world.project, sha1: "a".repeat(40), part: 3 });
      if (listWords[row.words[0] ?? ""] !== undefined) continue;
      const [everyone, guest] = await Promise.all(
        [null, matrix.people.document].map((person) => ask(world.app, person, asked)),
      );
      expect([row.name, guest?.status, guest?.body]).toEqual([row.name, everyone?.status, everyone?.body]);
    }
  });
});

/** Makes links to the documents, to their project and to a search that finds them, and opens them in browsers. */
async function openLinks(
  { app, people, project }: AccessWorld,
  documents: readonly FilledDocument[],
): Promise<Record<Guest, Asker>> {
  const { owner, other } = people;
  const admin = people["project admin"];
  if (owner === null || admin === null || other === null) throw new Error("The world has these people");
  const makeLink = async (person: Asker, value: object): Promise<string> => {
    const { status, body } = await sendAs(app, person, "POST", "/api/guest_links/", value);
    expect([value, status]).toEqual([value, 201]);
    return new URL(String(body.link)).searchParams.get("link") ?? "";
  };
  const shared = documents.filter((document) => rightOf("owner", document) === "E");
  const search = await sendAs(app, owner, "POST", "/api/documents/search/saved/", {
    name: "All",
    query: "*",
  });
  const secrets: Record<Guest, string[]> = {
    document: [],
    project: [],
    search: [],
    looking: [],
    "signed in": [],
  };
  for (const { id } of shared) {
    const secret = await makeLink(owner, { document: id, download: true });
    secrets.document.push(secret);
    secrets["signed in"].push(secret);
    secrets.looking.push(await makeLink(owner, { document: id }));
  }
  secrets.project.push(await makeLink(admin, { project, download: true }));
  secrets.search.push(await makeLink(owner, { search: search.body.uuid, download: true }));
  const opened = {} as Record<Guest, Asker>;
  for (const guest of guests) {
    const session = guest === "signed in" ? other.session : null;
    const own = session === null ? "" : `${session.cookie}; `;
    let cookie = "";
    for (const secret of secrets[guest]) {
      const answer = await app.fetch("/guest/", {
        method: "POST",
        redirect: "manual",
        headers: { cookie: own + cookie },
        body: new URLSearchParams({ link: secret, csrfmiddlewaretoken: session?.["x-csrftoken"] ?? "" }),
      });
      expect(answer.status).toBe(303);
      cookie = answer.headers.get("set-cookie")?.split(";", 1)[0] ?? cookie;
    }
    const withCookies = { ...session, cookie: own + cookie };
    const headers = withCookies as unknown as Asker["headers"];
    opened[guest] = { id: 0, username: guest, headers, session: withCookies as Session, readOnly: headers };
    // What a guest opens is written into the history once.
    for (const { id } of documents)
      await ask(app, opened[guest], { method: "GET", target: `/api/documents/${id}/` });
  }
  return opened;
}

function askedOf(url: string, row: MatrixRow, document: FilledDocument): Asked {
  if (documentRows.includes(row)) return documentRequest(row, document);
  if (partRows.includes(row)) return partRequest(row, document, absentId.entity);
  if (fileRows.includes(row)) return fileRequest(url, row, document);
  return { method: row.method, target: targetOf(row, { id: document.id, note: document.note }) };
}
