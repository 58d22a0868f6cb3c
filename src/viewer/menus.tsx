import { ellipsisIcon, eyeIcon } from "../contract/icons.ts";
import { Menu, type MenuAction } from "./form/menu.tsx";
import { isMail, isTable } from "./model/api.ts";
import type { PanelName, ViewName, ViewerState } from "./state/viewer-state.ts";
import { menuTexts } from "./texts/menu-texts.ts";
import { texts } from "./texts/texts.ts";
import { openDocumentAction, openTool } from "./tools.ts";

/** Shows the pages, or the document in another way, and says so. */
export function show(viewer: ViewerState, view: ViewName): void {
  viewer.view.value = view;
  viewer.announcement.value = texts.views[view];
}

export function ViewMenu({
  viewer,
  label = texts.view,
  more = [],
}: {
  viewer: ViewerState;
  label?: string;
  more?: readonly MenuAction[];
}) {
  const { scrolling } = viewer;
  const view = viewer.view.value;
  const zoom = scrolling.zoom.value;
  return (
    <Menu
      id="viewer-view-menu"
      label={label}
      narrowIcon={eyeIcon}
      groups={[
        [
          { label: texts.views.pages, isOn: view === "pages", run: () => show(viewer, "pages") },
          { label: texts.views.grid, isOn: view === "grid", run: () => show(viewer, "grid") },
          { label: texts.views.text, isOn: view === "text", run: () => show(viewer, "text") },
          ...(isTable(viewer.record.value)
            ? [{ label: texts.views.table, isOn: view === "table", run: () => show(viewer, "table") }]
            : []),
        ],
        [
          { label: texts.zoomIn, run: () => scrolling.zoomBy(1) },
          { label: texts.zoomOut, run: () => scrolling.zoomBy(-1) },
          { label: texts.fitWidth, isOn: zoom === "width", run: () => scrolling.setZoom("width") },
          { label: texts.fitPage, isOn: zoom === "page", run: () => scrolling.setZoom("page") },
          { label: texts.readableWidth, isOn: zoom === "auto", run: () => scrolling.setZoom("auto") },
        ],
        [
          {
            label: texts.twoPages,
            isOn: scrolling.isTwoUp.value,
            run: () => scrolling.toggleTwoUp(),
          },
          { label: texts.rotate, run: () => viewer.rotate() },
        ],
        more,
      ]}
    />
  );
}

const nothing = (): void => undefined;

/** Everything that can be done with the document: what everyone may do, and what people who may change it do. */
export function DocumentMenu({
  viewer,
  onShare,
  onKeys,
}: {
  viewer: ViewerState;
  onShare: () => void;
  onKeys: () => void;
}) {
  const { api, record } = viewer;
  const panel = (name: PanelName): MenuAction => ({
    label: texts.panels[name],
    isNarrow: true,
    run: () => (viewer.panel.value = name),
  });
  const panels = [panel("contents"), ...(isMail(record.value) ? [panel("mail")] : []), panel("about")];
  const files = api.downloadsOf(record.value).map(({ extension, address }): MenuAction => ({
    label: texts.downloadAs(extension.toUpperCase()),
    href: address,
    run: nothing,
  }));
  const reading = [
    ...files,
    { label: texts.share, isNarrow: true, run: onShare },
    { label: texts.shortcuts, run: onKeys },
  ];
  const groups = viewer.mayEdit ? editingGroups(viewer) : [];
  const { addons } = api;
  const runAddon = (): void => location.assign(`${addons}?document=${record.value.id}`);
  const programs = addons === null ? [] : [{ label: menuTexts.runAddon, run: runAddon }];
  return (
    <Menu
      id="viewer-document-menu"
      label={texts.more}
      icon={ellipsisIcon}
      groups={[panels, ...groups, programs, reading, ...(viewer.mayEdit ? [[deletion(viewer)]] : [])]}
    />
  );
}

function editingGroups(viewer: ViewerState): MenuAction[][] {
  const { api, record } = viewer;
  const { id, status } = record.value;
  const tool = (label: string, name: Parameters<typeof openTool>[0]): MenuAction => ({
    label,
    run: () => void openTool(name, viewer),
  });
  const action = (label: string, name: Parameters<typeof openDocumentAction>[0]): MenuAction => ({
    label,
    run: () => void openDocumentAction(name, viewer),
  });
  const about = [
    tool(menuTexts.editDetails, "documentForm"),
    action(menuTexts.whoSees, "access"),
    action(menuTexts.addToProject, "project"),
    action(menuTexts.giveToPerson, "person"),
  ];
  // Without an image type, there is no PDF here.
  const pages =
    api.imageType === null
      ? []
      : [tool(texts.redact, "redaction"), tool(menuTexts.arrangePages, "arrangement")];
  const file = [
    {
      label: texts.replaceFile,
      run: () => location.assign(api.pageAddress(`upload/?replace=${id}`)),
    },
    ...(["success", "error"].includes(status) ? [tool(menuTexts.processAgain, "processAgain")] : []),
    ...(api.downloadsOf(record.value).length > 0 ? [action(texts.duplicate, "duplicate")] : []),
    tool(texts.history, "history"),
  ];
  return [about, pages, file];
}

const deletion = (viewer: ViewerState): MenuAction => ({
  label: texts.delete,
  isDangerous: true,
  run: () => void openDocumentAction("deletion", viewer),
});
