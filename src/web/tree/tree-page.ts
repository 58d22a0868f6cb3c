import { type Site, pageButtons, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, type HtmlContent, html } from "../../http/text/html.ts";
import { type Branch, readContainer, readFolder, treeRoot } from "../../resources/documents/branches.ts";
import type { DocumentRow } from "../../resources/documents/store.ts";
import type { TreeChild, TreePage } from "../../resources/documents/tree/read-tree.ts";
import type { BranchCount } from "../../resources/documents/tree/tree-store.ts";
import { pageTexts } from "../../texts/pages.ts";
import { branchParameter, treeAddress } from "../searching/branch-of-search.ts";
import { searchBox } from "../search-page.ts";
import { pagesInWords, statusInWords } from "../wording.ts";

export interface TreePageView {
  site: Site;
  tree: TreePage;
  hrefOf: (row: DocumentRow) => string;
  /** Addresses of the previous and the next page; null at the ends of the list. */
  previous: string | null;
  next: string | null;
}

/** Renders a folder or a container: the way up, a search in it, and what is directly in it. */
export function renderTreePage(view: TreePageView): string {
  const { site, tree, previous, next } = view;
  const texts = pageTexts(site);
  const words = texts.tree;
  const isRoot = tree.branch.kind === "folder" && tree.branch.names.length === 0;
  const title = isRoot ? words.title : tree.name === "" ? texts.untitled : tree.name;
  const search = searchBox(site.home, "", {
    label: isRoot ? words.searchAll : words.searchIn(title),
    locale: site,
    hidden: isRoot ? {} : branchParameter(tree.branch),
  });
  const main = html`${!isRoot && wayUp(view)}
    <h1><bdi>${title}</bdi></h1>
    ${isRoot && html`<p>${words.help}</p>`} ${search}
    ${
      tree.documents === 0
        ? html`<div class="empty"><p>${words.none}</p></div>`
        : html`<p class="found" role="status">${counted(tree, words.documents, words.documentsOrMore)}</p>
            <ul class="documents tree">
              ${tree.children.map((child) => entry(child, view))}
            </ul>`
    }
    ${containerLink(view)} ${pageButtons(previous, next, { locale: site })}`;
  return renderPage({ site, title, section: "documents", robots: "noindex", main });
}

/** A number of documents, or what is known of a larger one. */
function counted(
  { documents, isExact }: BranchCount,
  exact: (count: number) => string,
  orMore: (count: number) => string,
): string {
  return isExact ? exact(documents) : orMore(documents);
}

/** The links to the branches around this one, the root first. */
function wayUp({ site, tree }: TreePageView): Html {
  const texts = pageTexts(site);
  const around = tree.path.map(({ name, folder, container }) => {
    const branch = folder === null ? readContainer(container ?? "") : readFolder(folder);
    return { name: name === "" ? texts.untitled : name, branch: branch ?? treeRoot };
  });
  return html`<nav class="way-up" aria-label="${texts.tree.wayUp}">
    <ol>
      ${[{ name: texts.tree.title, branch: treeRoot }, ...around].map(
        ({ name, branch }) =>
          html`<li>
            <a href="${treeAddress(site.home, branch)}"><bdi>${name}</bdi></a>
          </li>`,
      )}
    </ol>
  </nav>`;
}

/** The link from a container to its own page. */
function containerLink({ site, tree: { branch } }: TreePageView): HtmlContent {
  if (branch.kind !== "container") return null;
  const href = `${site.home}documents/${branch.id}/`;
  return html`<p class="buttons">
    <a class="button small" href="${href}">${pageTexts(site).tree.openDocument}</a>
  </p>`;
}

function entry({ name, branch, row, ...count }: TreeChild, { site, hrefOf }: TreePageView): Html {
  const texts = pageTexts(site);
  const words = texts.tree;
  if (row === null) return folderEntry(name, branch, count, site);
  const facts = [
    row.original_extension.toUpperCase(),
    ...(row.page_count > 0 ? [pagesInWords(row.page_count, site)] : []),
    ...(row.status === "success" ? [] : [statusInWords(row.status, site)]),
  ];
  const inside = counted(count, words.inIt, words.inItOrMore);
  return html`<li>
    <h2>
      <a href="${hrefOf(row)}"><bdi>${name === "" ? texts.untitled : name}</bdi></a>
    </h2>
    <ul class="facts">
      ${facts.filter((fact) => fact !== "").map((fact) => html`<li>${fact}</li>`)}
      ${count.documents > 0 && html`<li><a href="${treeAddress(site.home, branch)}">${inside}</a></li>`}
    </ul>
  </li>`;
}

function folderEntry(name: string, branch: Branch, count: BranchCount, site: Site): Html {
  const words = pageTexts(site).tree;
  return html`<li>
    <h2>
      <a href="${treeAddress(site.home, branch)}"><bdi>${name}</bdi></a>
    </h2>
    <ul class="facts">
      <li>${words.folder}</li>
      <li>${counted(count, words.documents, words.documentsOrMore)}</li>
    </ul>
  </li>`;
}
