import { administrationRows } from "./administration.ts";
import { belongingRows } from "./belongings.ts";
import { documentRows } from "./documents.ts";
import { fileRows } from "./files.ts";
import { listRows } from "./lists.ts";
import { noteRows } from "./notes.ts";
import { partRows } from "./parts.ts";
import { membershipRows, projectRows } from "./projects.ts";
import { trashRows } from "./trash.ts";

/** The rows of all matrices of rights. */
export const everyRow = [
  ...documentRows,
  ...trashRows,
  ...fileRows,
  ...noteRows,
  ...partRows,
  ...membershipRows,
  ...projectRows,
  ...belongingRows,
  ...administrationRows,
  ...listRows,
];

const password = "the password itself is the right";
const ownTokens = "would revoke the tokens that the matrices ask with: see account.test.ts";

const ownFactors = "takes only the viewer's own, with the password: see second-step-routes.test.ts";

/** The operations that are in no matrix, each with the reason. */
export const operationsWithoutRights: Readonly<Record<string, string>> = {
  "POST /api/token/": password,
  "POST /api/refresh/": "the token itself is the right",
  "GET /api/events/stream/": "ends after minutes: see events.test.ts",
  "POST /api/messages/": "sends a mail to the sender alone: see addons.test.ts",
  "POST /api/organizations/:id/ai_credits/": "gives nothing: see addons.test.ts",
  "PUT /uploads/addon-runs/:uuid/*": "the signed address is the right: see addons.test.ts",
  "POST /sign-in/": password,
  "POST /sign-out/": "ends the session that it is sent with: see sign-in-routes.test.ts",
  "GET /sign-in/with/:id/": "leads everyone to the provider: see provider-routes.test.ts",
  "GET /sign-in/with/:id/return/": "the provider's answer is the right: see provider-routes.test.ts",
  "POST /sign-in/with/:id/notice/": "the provider's signature is the right: see provider-routes.test.ts",
  "POST /account/identities/:id/": "takes only the viewer's own: see provider-routes.test.ts",
  "GET /set-password/": "the link itself is the right",
  "POST /set-password/": "the link itself is the right",
  "GET /unsubscribe/:token/": "the token itself is the right: see alerts.test.ts",
  "POST /unsubscribe/:token/": "the token itself is the right: see alerts.test.ts",
  "GET /guest/": "the link itself, or the cookie, is the right: see guests.test.ts",
  "POST /guest/": "the link itself is the right: see guests.test.ts",
  "POST /guest/leave/": "ends the session that it is sent with: see guests.test.ts",
  "GET /sign-in/second/": "the password that was sent is the right: see second-step-routes.test.ts",
  "POST /sign-in/second/": "the second factor itself is the right: see second-step-routes.test.ts",
  ...Object.fromEntries(
    ["", "app/", "passkey/"].flatMap((page) =>
      ["GET", "POST"].map((method) => [`${method} /account/factors/${page}`, ownFactors]),
    ),
  ),
  "GET /static/passkeys-:digest.js": "the same bytes for everyone",
  "GET /static/tray-:digest.js": "the same bytes for everyone",
  "POST /account/password/": password,
  "GET /oauth/authorize/": "asks the viewer alone: see assistants.test.ts",
  "POST /oauth/authorize/": "gives what the viewer has, if they consent: see assistants.test.ts",
  "POST /oauth/register/": "anybody may register a client: see assistants.test.ts",
  "POST /oauth/token/": "the code, or the token, is the right: see assistants.test.ts",
  "POST /oauth/revoke/": "the token itself is the right: see assistants.test.ts",
  ...Object.fromEntries(
    ["protected-resource", "protected-resource/mcp", "authorization-server"].map((name) => [
      `GET /.well-known/oauth-${name}`,
      "the same for everyone",
    ]),
  ),
  "POST /account/assistants/:id/": "takes only the viewer's own: see assistants.test.ts",
  "DELETE /api/account/tokens/": ownTokens,
  "POST /account/tokens/revoke/": ownTokens,
  "GET /static/style-:digest.css": "the same bytes for everyone",
  "GET /static/inter-:digest.woff2": "the same bytes for everyone",
  "GET /static/newsreader-:digest.woff2": "the same bytes for everyone",
  "GET /static/icon-:digest.svg": "the same bytes for everyone",
  "GET /static/forms-:digest.js": "the same bytes for everyone",
};
