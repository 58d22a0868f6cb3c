import { type VNode, render } from "preact";
import { type DeskPage, readDeskPage } from "../contract/page-options.ts";
import { AdminApp } from "./admin/admin-app.tsx";
import { DocumentsPage } from "./documents-page.tsx";
import { keepFocus } from "./kept-focus.ts";
import { DeskApi } from "./model/desk-api.ts";
import { FileReplacement } from "./uploads/file-replacement.ts";
import { DocumentList } from "./model/document-list.ts";
import { RedactionBatch } from "./model/redaction-batch.ts";
import { RedactionsUnderWay } from "./model/redactions-under-way.ts";
import { ReplacePage } from "./replace-page.tsx";
import { RedactPage } from "./redact-page.tsx";
import { ProjectWorkplace } from "./model/project.ts";
import { ProjectPage } from "./project-page.tsx";
import { SavedSearches } from "./model/saved-searches.ts";
import { TrashPage } from "./trash-page.tsx";
import { UploadPage } from "./upload-page.tsx";
import { Trash } from "./model/trash.ts";
import { NewDocuments } from "./uploads/upload-target.ts";
import { Uploads } from "./uploads/uploads.ts";

const place = document.querySelector<HTMLElement>("[data-desk]");
if (place !== null) open(place);

function open(element: HTMLElement): void {
  const { page, options } = readDeskPage(element.dataset);
  const api = new DeskApi(options);
  element.replaceChildren();
  keepFocus(element);
  render(contentOf(page, api), element);
}

function contentOf(page: DeskPage, api: DeskApi): VNode {
  switch (page.name) {
    case "admin":
      return <AdminApp api={api} page={page.own} />;
    case "documents":
      return <DocumentsPage api={api} list={new DocumentList(api)} saved={new SavedSearches(api)} />;
    case "redact": {
      const query = new URLSearchParams(location.search);
      const ids = (query.get("ids") ?? "").split(",").filter((id) => /^\d{1,15}$/.test(id));
      const source = { ids: [...new Set(ids.map(Number))], q: query.get("q")?.trim() ?? "" };
      const redaction = new RedactionBatch(api);
      const underWay = new RedactionsUnderWay(api);
      return <RedactPage api={api} redaction={redaction} underWay={underWay} source={source} />;
    }
    case "trash":
      return <TrashPage trash={new Trash(api)} />;
    case "replace": {
      const replacement = new FileReplacement(api, page.own.replace);
      void replacement.load();
      return <ReplacePage api={api} replacement={replacement} />;
    }
    case "project": {
      const workplace = new ProjectWorkplace(api, page.own.project);
      void workplace.open();
      return <ProjectPage api={api} workplace={workplace} page={page.own} />;
    }
    case "upload": {
      const uploads = new Uploads(api, new NewDocuments(api));
      void uploads.findUnfinished();
      return <UploadPage api={api} uploads={uploads} />;
    }
  }
}
