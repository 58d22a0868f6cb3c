import { render } from "preact";
import { DeskApi, type DeskOptions } from "./model/desk-api.ts";
import { UploadPage } from "./upload-page.tsx";
import { Uploads } from "./model/uploads.ts";

/*
 * The page has an element with `data-desk` (which of the desk's pages it is) and `data-options` (DeskOptions as JSON).
 */

const place = document.querySelector<HTMLElement>("[data-desk]");
if (place !== null) open(place);

function open(element: HTMLElement): void {
  const api = new DeskApi(JSON.parse(element.dataset["options"] ?? "{}") as DeskOptions);
  element.replaceChildren();
  const uploads = new Uploads(api);
  void uploads.findUnfinished();
  render(<UploadPage api={api} uploads={uploads} />, element);
}
