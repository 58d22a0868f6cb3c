import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";
import { addons } from "./baseline/addons.ts";
import { administration } from "./baseline/administration.ts";
import { assistants } from "./baseline/assistants.ts";
import { audiences } from "./baseline/audiences.ts";
import { documents } from "./baseline/documents.ts";
import { events } from "./baseline/events.ts";
import { families } from "./baseline/families.ts";
import { files } from "./baseline/files.ts";
import { following } from "./baseline/following.ts";
import { guests } from "./baseline/guests.ts";
import { histories } from "./baseline/histories.ts";
import { imports } from "./baseline/imports.ts";
import { keeping } from "./baseline/keeping.ts";
import { notes } from "./baseline/notes.ts";
import { pages } from "./baseline/pages.ts";
import { paths } from "./baseline/paths.ts";
import { people } from "./baseline/people.ts";
import { productions } from "./baseline/productions.ts";
import { projects } from "./baseline/projects.ts";
import { search } from "./baseline/search.ts";
import { signIns } from "./baseline/sign-ins.ts";
import { type Part, termsOf } from "./baseline/terms.ts";

/**
 * Each comes after the tables that it refers to. Triggers depend on the order, too: of those of an event, SQLite runs
 * the one first that was made last.
 */
const parts: readonly Part[] = [
  people,
  addons,
  signIns,
  assistants,
  projects,
  documents,
  files,
  pages,
  search,
  keeping,
  audiences,
  families,
  notes,
  following,
  events,
  paths,
  guests,
  imports,
  productions,
  histories,
  administration,
];

/** The schema of the first release, in place of the 79 migrations that had made it until then. */
export async function baseline(db: Kysely<unknown>, engine: Dialect["engine"]): Promise<void> {
  const terms = termsOf(engine);
  for (const part of parts) for (const statement of part(terms)) await sql.raw(statement).execute(db);
}
