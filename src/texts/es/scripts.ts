import actions from "./actions.json" with { type: "json" };
import admin from "./admin.json" with { type: "json" };
import batchRedaction from "./batch-redaction.json" with { type: "json" };
import editing from "./editing.json" with { type: "json" };
import manage from "./manage.json" with { type: "json" };
import menu from "./menu.json" with { type: "json" };
import password from "./password.json" with { type: "json" };
import projectPage from "./project-page.json" with { type: "json" };
import redacting from "./redacting.json" with { type: "json" };
import spreadsheet from "./spreadsheet.json" with { type: "json" };
import uploads from "./uploads.json" with { type: "json" };
import viewer from "./viewer.json" with { type: "json" };

/** The words of the scripts of pages, which import these files one by one. */
export const es = {
  actions,
  admin,
  batchRedaction,
  editing,
  manage,
  menu,
  password,
  projectPage,
  redacting,
  spreadsheet,
  uploads,
  viewer,
};
