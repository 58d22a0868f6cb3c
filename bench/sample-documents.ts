import { type PageSize, formatPageSpec } from "../src/processing/page-spec.ts";
import { Chance } from "./chance.ts";

/** A document as the bench stores it: the columns of a real row, and the projects that it is in. */
export interface SampleDocument {
  id: number;
  access: string;
  admin_noindex: boolean;
  asset_url: string | null;
  created_at: string;
  data: string;
  description: string;
  file_hash: string;
  language: string;
  noindex: boolean;
  organization_id: number;
  original_extension: string;
  page_count: number;
  page_spec: string;
  publish_at: string | null;
  published_url: string;
  related_article: string;
  revision_control: boolean;
  slug: string;
  source: string;
  status: string;
  title: string;
  updated_at: string;
  user_id: number;
  projects: number[];
}

export const owners = { users: 2000, organizations: 300, projects: 500 };
export const firstId = 20_000_001;

/**
 * Documents in ascending order of their ids, which have gaps. They are the same on every run. A record has about 900
 * bytes as JSON. One document in `publicEvery` is public; the members of an organization see the others.
 */
export function* sampleDocuments(count: number, publicEvery = 1): Generator<SampleDocument> {
  const chance = new Chance(20_250_131);
  let id = firstId;
  let madeAtMilliseconds = Date.UTC(2012, 0, 1);
  const between = (Date.UTC(2025, 0, 1) - madeAtMilliseconds) / count;
  for (let index = 0; index < count; index++) {
    const document = sampleDocument(chance, id, madeAtMilliseconds, "public");
    const isPublic = index % publicEvery === Math.floor(publicEvery / 2);
    yield isPublic
      ? document
      : { ...document, access: "organization", organization_id: organizationOf(index) };
    id += 1 + chance.below(3);
    madeAtMilliseconds += chance.below(2 * between);
  }
}

/** The organizations of documents that are not public: `even` and `odd` have half each, `rare` has one in 100,000. */
export const organizations = { even: 1, odd: 2, rare: 3 };

function organizationOf(index: number): number {
  if (index % 100_000 === 99_999) return organizations.rare;
  return index % 2 === 0 ? organizations.even : organizations.odd;
}

/** People who sign in with a token, and the organizations that they belong to. */
export const viewers = {
  rare: { id: 3001, token: "quire_bench_rare", organizations: [organizations.rare] },
  half: { id: 3002, token: "quire_bench_half", organizations: [organizations.even] },
  all: { id: 3003, token: "quire_bench_all", organizations: Object.values(organizations) },
};

function sampleDocument(
  chance: Chance,
  id: number,
  madeAtMilliseconds: number,
  access: string,
): SampleDocument {
  const title = sentence(chance, 4 + chance.below(8));
  const pageCount = chance.is(0.3) ? 1 : 1 + Math.floor(600 / (1 + chance.below(300)));
  const changedAtMilliseconds = madeAtMilliseconds + chance.below(90 * 86_400_000);
  return {
    id,
    access,
    admin_noindex: false,
    asset_url: null,
    created_at: moment(chance, madeAtMilliseconds),
    data: JSON.stringify(sampleData(chance)),
    description: chance.is(0.4) ? `${sentence(chance, 10 + chance.below(20))}.` : "",
    file_hash: chance.hexadecimal(40),
    language: chance.is(0.9) ? "eng" : chance.pick(["spa", "deu", "fra"]),
    noindex: chance.is(0.05),
    organization_id: 1 + chance.below(owners.organizations),
    original_extension: chance.is(0.95) ? "pdf" : chance.pick(["xlsx", "docx", "txt"]),
    page_count: pageCount,
    page_spec: formatPageSpec(pageSizes(chance, pageCount)),
    publish_at: null,
    published_url: chance.is(0.15) ? `https://news.example/documents/${chance.hexadecimal(16)}/` : "",
    related_article: chance.is(0.2) ? `https://news.example/${slugOf(sentence(chance, 5))}` : "",
    revision_control: false,
    slug: slugOf(title),
    source: chance.is(0.5) ? chance.pick(sources) : "",
    status: chance.is(0.9) ? "success" : "readable",
    title,
    updated_at: moment(chance, changedAtMilliseconds),
    user_id: 1 + chance.below(owners.users),
    projects: projectsOf(chance),
  };
}

function sampleData(chance: Chance): Record<string, string[]> {
  const data: Record<string, string[]> = {};
  if (chance.is(0.3)) return data;
  if (chance.is(0.5)) data["email"] = [`${chance.pick(words)}.${chance.pick(words)}@agency.example`];
  data["cid"] = [`${chance.below(100_000)}-${chance.hexadecimal(8)}`];
  if (chance.is(0.5)) data["sidekick_score"] = [(chance.below(10_000) / 10_000).toString()];
  if (chance.is(0.3)) data["topic"] = [chance.pick(words), `${chance.pick(words)} “${chance.pick(words)}”`];
  return data;
}

function* pageSizes(chance: Chance, pageCount: number): Generator<PageSize> {
  const letter = { width: "612.00", height: "792.00" };
  const usual = chance.is(0.8) ? letter : { width: "595.28", height: "841.89" };
  const odd = { width: `${400 + chance.below(400)}.${10 + chance.below(90)}`, height: "1008.00" };
  const oddShare = chance.is(0.3) ? 0.1 : 0;
  for (let page = 0; page < pageCount; page++) yield chance.is(oddShare) ? odd : usual;
}

function projectsOf(chance: Chance): number[] {
  if (chance.is(0.7)) return [];
  const first = 1 + chance.below(owners.projects - 1);
  return chance.is(0.2) ? [first, first + 1] : [first];
}

function moment(chance: Chance, milliseconds: number): string {
  const microseconds = String(chance.below(1000)).padStart(3, "0");
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${microseconds}Z`;
}

function sentence(chance: Chance, length: number): string {
  const text = Array.from({ length }, () => chance.pick(words)).join(" ");
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function slugOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}

const words = (
  "letter report minutes budget memo contract permit council county water school police board review " +
  "audit land tax plan road bridge health safety emails records request response draft final " +
  "agreement complaint order hearing exhibit invoice schedule inspection survey grant appeal license " +
  "ordinance résumé"
).split(" ");

const sources = Array.from({ length: 60 }, (_, index) =>
  `${words[index % words.length] ?? ""} office, district ${index % 7}`.replace(/^./, (letter) =>
    letter.toUpperCase(),
  ),
);
