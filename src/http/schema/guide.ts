import { type Html, html } from "../text/html.ts";
import type { Site } from "../browsable/page-shell.ts";
import type { ApiOperation } from "./openapi-types.ts";
import { samplesFor } from "./quick-start.ts";

/** The first steps with the API, in three languages. */
export function quickStart(api: string): Html {
  return html`<section class="guide" aria-labelledby="quick-start">
    <h2 id="quick-start">Quick start</h2>
    <p>
      Each of these programs signs in, lists documents, uploads <code>report.pdf</code> and searches. It reads
      your name and password from <code>QUIRE_NAME</code> and <code>QUIRE_PASSWORD</code>. The Python and
      TypeScript ones need no packages.
    </p>
    ${samplesFor(api).map(
      ({ language, command, code }, index) =>
        html`<details class="panel" ${index === 0 && html`open`}>
          <summary>${language}</summary>
          <div class="panel-content">
            <p>Save it as <code>${command[1]}</code>, then run <code>${command.join(" ")}</code>.</p>
            <pre>${code}</pre>
          </div>
        </details>`,
    )}
  </section>`;
}

/** How programs say on whose behalf they ask. */
export function authentication(site: Site): Html {
  return html`<section class="guide" aria-labelledby="authentication">
    <h2 id="authentication">Authentication</h2>
    <p>What is public can be read without credentials. For everything else there are three ways:</p>
    <ul>
      <li>
        <strong>A personal token</strong>, for programs of your own: make one on
        <a href="${site.account}">your account page</a> and send it as
        <code>Authorization: Bearer TOKEN</code>. It lasts until you revoke it, or until the day that you set,
        and it cannot manage the account.
      </li>
      <li>
        <strong>An access token</strong>, as clients of DocumentCloud use it:
        <a href="#postToken"><code>POST /api/token/</code></a> takes a name and a password. The access token
        lasts five minutes, and <a href="#postRefresh"><code>POST /api/refresh/</code></a> makes another one
        for a day.
      </li>
      <li>
        <strong>The session of a browser</strong> that has signed in. Changes also need the header
        <code>X-CSRFToken</code> with the value of the cookie <code>csrftoken</code>.
      </li>
    </ul>
    <p>
      Credentials that are wrong or expired are refused (403), also where none are needed. What you may not
      see is answered like what does not exist (404).
    </p>
  </section>`;
}

/**
 * Opens the browsable page of an address, which shows the answer to GET, and has forms for changes. Without scripts, it
 * is shown for addresses without parameters in their path.
 */
export function tryForm(path: string, { operationId, parameters }: ApiOperation): Html {
  const inPath = parameters.filter((one) => one.in === "path");
  return html`<form
    class="try"
    method="get"
    action="${inPath.length === 0 ? path : ""}"
    data-opens-path="${path}"
    ${inPath.length > 0 && html`hidden`}
  >
    <h4>Try it</h4>
    ${inPath.map(
      ({ name }) =>
        html`<p class="field">
          <label for="${operationId}-${name}">${name}</label>
          <input id="${operationId}-${name}" data-in-path="${name}" required />
        </p>`,
    )}
    <input type="hidden" name="format" value="api" />
    <button class="button small">Open the browsable page</button>
  </form>`;
}
