import { minusIcon, pencilIcon, plusIcon, uploadIcon, xIcon } from "../../src/contract/icons.ts";
import { type Site, pageButtons, renderPage } from "../../src/http/browsable/page-shell.ts";
import { type Html, html } from "../../src/http/text/html.ts";
import { icon } from "../../src/http/text/icon.ts";
import { documentList } from "../../src/web/document-rows.ts";
import { searchBox } from "../../src/web/search-page.ts";

/** Every component that pages share, in each of its states. States that a person causes are marked with `data-state`. */
export function galleryPage(site: Site): string {
  const parts: readonly (readonly [name: string, content: Html])[] = [
    ["Type", type],
    ["Buttons", buttons],
    ["Fields", fields],
    ["Chips, access, avatars, badges", chips],
    ["Menu", menu],
    ["Tabs", tabs],
    ["Notices", notices],
    ["Progress", progress],
    ["Rows", rows(site)],
    ["Cards", cards],
    ["Empty", empty],
    [
      "Search, pages",
      html`${searchBox("/", "harbour", { label: "Search the documents", locale: site })}
      ${pageButtons("/", null)}`,
    ],
  ];
  const main = html`<h1>Gallery</h1>
    ${parts.map(
      ([name, content]) =>
        html`<section>
          <h2>${name}</h2>
          ${content}
        </section>`,
    )}`;
  return renderPage({ site, title: "Gallery", section: "documents", robots: "noindex", main });
}

const type = html`<h1>The papers behind our reporting</h1>
  <h2>Harbour inquiry</h2>
  <h3>Contract with the dredging company</h3>
  <p>Inter is for what one does: <a href="#type">links</a>, <strong>weight</strong>, <code>code</code>.</p>
  <p class="page-text">Newsreader is for what one reads: the City pays on completion of each section.</p>
  <p class="help">Help stands below a field, and <mark>what was found</mark> is marked.</p>`;

const states = ["", "hover", "focus", "active"] as const;

const buttons = html`${["", "primary", "danger", "bare"].map(
    (kind) =>
      html`<p class="buttons">
        ${states.map((state) => html`<button class="button ${kind}" data-state="${state}">${icon(uploadIcon)}Upload</button>`)}
        <button class="button ${kind}" disabled>Disabled</button>
        <button class="button ${kind}" aria-busy="true">${icon(plusIcon)}Busy</button>
        <button class="button small ${kind}">Small</button>
        <button class="button square ${kind}" aria-label="Edit">${icon(pencilIcon)}</button>
      </p>`,
  )}
  <p class="buttons"><button class="button" aria-pressed="true">Pressed</button></p>`;

const fields = html`<div class="fields">
  ${["", "hover", "focus"].map(
    (state, index) =>
      html`<p class="field">
        <label for="text-${index}">Source</label
        ><input id="text-${index}" value="City archive" data-state="${state}" />
        <span class="help">Where it is from.</span>
      </p>`,
  )}
  <p class="field"><label for="off">Disabled</label><input id="off" value="Nobody" disabled /></p>
  <p class="field">
    <label for="wrong">Publish at</label><input id="wrong" value="31 February" aria-invalid="true" />
    <span class="problem">There is no 31 February.</span>
  </p>
  <p class="field">
    <label for="list">Who can see it</label
    ><select id="list">
      <option>Private: only you</option>
    </select>
  </p>
  <p class="field">
    <label for="area">Description</label><textarea id="area" rows="2">What it is about</textarea>
  </p>
  <p class="check"><input type="checkbox" id="tick" checked /><label for="tick">Ticked</label></p>
  <p class="check"><input type="radio" id="radio" /><label for="radio">One of several</label></p>
</div>`;

const chips = html`<p class="buttons">
  <button class="chip">2018 to 2021 ${icon(xIcon)}</button><span class="chip is-good">Ready</span
  ><span class="chip is-doubtful">Waiting</span><span class="chip is-bad">Failed</span
  ><span class="access is-public">Public</span><span class="access is-organization">Harbour News</span
  ><span class="access is-private">Private</span><span class="avatar">AP</span><span class="badge">12</span>
</p>`;

const menu = html`<div class="menu in-place">
  <p class="menu-head">Signed in as <strong>Ana Pohl</strong></p>
  <button class="menu-item">${icon(pencilIcon)}Details</button>
  <button class="menu-item" data-state="hover">${icon(minusIcon)}Replace</button>
  <button class="menu-item" aria-pressed="true">Two pages side by side</button>
  <hr />
  <button class="menu-item danger">Delete</button>
</div>`;

const tabs = html`<ul class="tabs">
  <li><a href="#tabs" aria-current="page">Overview</a></li>
  <li><a href="#tabs" data-state="hover">People</a></li>
  <li><a href="#tabs">Queue</a></li>
</ul>`;

const notices = html`<p class="problem">The file ends too early: 3 of 12 pages could be read.</p>
  <p class="done">Your name was saved.</p>
  <p class="notice">This page needs JavaScript.</p>
  <dialog open class="in-place">
    <h2>Delete the document?</h2>
    <p class="buttons"><button class="button danger">Delete</button></p>
  </dialog>`;

const progress = html`<p><progress max="38" value="26" aria-label="26 of 38"></progress></p>`;

const document = {
  title: "Harbour inquiry: final report",
  href: "#rows",
  image: null,
  createdAt: "2024-03-03T12:00:00.000000Z",
  pageCount: 300,
  source: "City archive",
  organization: "Harbour News",
  language: "eng",
  extension: "pdf",
  access: "public",
  status: "success",
};

const rows = (site: Site): Html =>
  documentList(
    [
      document,
      { ...document, title: "Letter of the inspector", access: "private", status: "pending", pageCount: 2 },
      {
        ...document,
        title: `Sediment report, annex B, ${"with all that was measured ".repeat(6)}`,
        access: "organization",
      },
    ],
    site,
  );

const cards = html`<ul class="cards">
  ${["Harbour inquiry", "Council minutes"].map(
    (title) =>
      html`<li class="card">
        <h3><a href="#cards">${title}</a></h3>
        <p class="help">420 documents · 3 March 2024</p>
        <p class="card-text">Contracts, surveys and minutes of the dredging of the outer harbour.</p>
      </li>`,
  )}
</ul>`;

const empty = html`<div class="empty">
  <h2>There are no documents yet</h2>
  <p>Nobody else sees a file before you say so.</p>
  <p><a class="button primary" href="#empty">Upload your first documents</a></p>
</div>`;
