import type { Site } from "../../http/browsable/page-shell.ts";
import { csrfField } from "../../http/request/csrf.ts";
import { type Html, html } from "../../http/text/html.ts";
import type { ListedConnection } from "../../resources/users/assistants/connection-store.ts";
import { pageTexts } from "../../texts/pages.ts";
import { momentInWords } from "../wording.ts";

export interface ConnectionsView {
  site: Site;
  csrfToken: string;
  connections: readonly ListedConnection[];
  /** The address that people enter in their assistant. */
  mcpAddress: string;
}

/** The part of the account page about the assistants that the person has connected. */
export function connectionsPart({ site, csrfToken, connections, mcpAddress }: ConnectionsView): Html {
  const { account } = pageTexts(site);
  const texts = account.assistants;
  return html`<section aria-labelledby="assistants">
    <h2 id="assistants">${texts.title}</h2>
    <p class="help">${connections.length === 0 ? texts.none(mcpAddress) : texts.help}</p>
    ${
      connections.length > 0 &&
      html`<ul class="credentials">
        ${connections.map(
          (connection) =>
            html`<li>
              <div>
                <strong dir="auto">${connection.name}</strong>
                <code>${connection.host === "" ? texts.onDevice : connection.host}</code>
                <p class="help">${factsOf(site, connection)}</p>
              </div>
              <form method="post" action="${site.account}assistants/${String(connection.id)}/">
                <input type="hidden" name="${csrfField}" value="${csrfToken}" /><button
                  class="button"
                  aria-label="${texts.disconnectNamed(connection.name)}"
                >
                  ${texts.disconnect}
                </button>
              </form>
            </li>`,
        )}
      </ul>`
    }
  </section>`;
}

/** What it may do, since when, and when it was used last. */
function factsOf(site: Site, { may_write, created_at, last_used_at }: ListedConnection): Html {
  const { account } = pageTexts(site);
  const moment = (at: string): Html => html`<time datetime="${at}">${momentInWords(at, site)}</time>`;
  return html`${may_write ? account.readsAndWrites : account.readsOnly}, ${account.assistants.connectedOn}
  ${moment(created_at)},
  ${last_used_at === null ? account.neverUsed : html`${account.lastUsed} ${moment(last_used_at)}`}`;
}
