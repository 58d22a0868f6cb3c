import { render } from "preact";
import { AdminApp } from "./admin/admin-app.tsx";
import { DocumentsPage } from "./documents-page.tsx";
import { keepFocus } from "./kept-focus.ts";
import { DeskApi, type DeskOptions } from "./model/desk-api.ts";
import { FileReplacement } from "./model/file-replacement.ts";
import { DocumentList } from "./model/document-list.ts";
import { RedactionBatch } from "./model/redaction-batch.ts";
import { ReplacePage } from "./replace-page.tsx";
import { RedactPage } from "./redact-page.tsx";
import { ProjectWorkplace } from "./model/project.ts";
import { ProjectPage } from "./project-page.tsx";
import { SavedSearches } from "./model/saved-searches.ts";
import { TrashPage } from "./trash-page.tsx";
import { UploadPage } from "./upload-page.tsx";
import { Trash } from "./model/trash.ts";
import { Uploads } from "./model/uploads.ts";

/*
 * The page has an element with two attributes: `data-desk` names the page of the desk, and `data-options` has the
 * DeskOptions as JSON.
 */

const place = document.querySelector<HTMLElement>("[data-desk]");
if (place !== null) open(place);

function open(element: HTMLElement): void {
  const api = new DeskApi(JSON.parse(element.dataset["options"] ?? "{}") as DeskOptions);
  element.replaceChildren();
  keepFocus(element);
  const admin = /^admin-(.*)$/.exec(element.dataset["desk"] ?? "");
  if (admin !== null) {
    render(<AdminApp api={api} name={admin[1] ?? ""} />, element);
    return;
  }
  if (element.dataset["desk"] === "documents") {
    render(<DocumentsPage api={api} list={new DocumentList(api)} saved={new SavedSearches(api)} />, element);
    return;
  }
  if (element.dataset["desk"] === "redact") {
    const query = new URLSearchParams(location.search);
    const ids = (query.get("ids") ?? "").split(",").filter((id) => /^\d{1,15}$/.test(id));
    const source = { ids: [...new Set(ids.map(Number))], q: query.get("q")?.trim() ?? "" };
    render(<RedactPage redaction={new RedactionBatch(api)} source={source} />, element);
    return;
  }
  if (element.dataset["desk"] === "trash") {
    render(<TrashPage trash={new Trash(api)} />, element);
    return;
  }
  const { project, replace } = api.options;
  if (element.dataset["desk"] === "replace" && replace !== undefined) {
    const replacement = new FileReplacement(api, replace);
    void replacement.load();
    render(<ReplacePage api={api} replacement={replacement} />, element);
    return;
  }
  if (element.dataset["desk"] === "project" && project !== undefined) {
    const workplace = new ProjectWorkplace(api, project);
    void workplace.load();
    render(<ProjectPage api={api} workplace={workplace} />, element);
    return;
  }
  const uploads = new Uploads(api);
  void uploads.findUnfinished();
  render(<UploadPage api={api} uploads={uploads} />, element);
}
