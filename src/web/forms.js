// Sends the forms of the browsable page that a browser cannot send itself: PUT, PATCH, DELETE and raw data. It shows
// the response in place, always as text, never as markup. On the page that documents the API it searches, and opens the
// addresses of operations.

for (const button of document.querySelectorAll("button[data-opens], button[data-method]")) {
  button.disabled = false;
}
for (const opener of document.querySelectorAll("button[data-opens]")) {
  const dialog = document.getElementById(opener.dataset.opens);
  opener.addEventListener("click", () => dialog.showModal());
  dialog.querySelector("[data-closes]").addEventListener("click", () => dialog.close());
}
for (const form of document.querySelectorAll("form[data-send]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit(form, event.submitter ?? form.querySelector("button[data-method]"));
  });
}

for (const form of document.querySelectorAll("form[data-opens-path]")) {
  form.hidden = false;
  form.addEventListener("submit", () => {
    form.action = form.dataset.opensPath.replaceAll(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(form.querySelector(`[data-in-path="${name}"]`).value.trim()),
    );
  });
}
for (const form of document.querySelectorAll('form[data-finds="operations"]')) findOperations(form);

/** Shows only the operations that have all words of the search in their address, method or summary. */
function findOperations(form) {
  const input = form.querySelector("input");
  const status = form.querySelector("[role=status]");
  const sections = [...document.querySelectorAll(".operations")];
  const find = () => {
    const words = input.value.toLowerCase().split(/\s+/);
    let count = 0;
    for (const section of sections) {
      for (const path of section.querySelectorAll(".path-of-api")) {
        const address = path.querySelector(".path").textContent;
        for (const panel of path.querySelectorAll("details.panel")) {
          const text = `${address} ${panel.querySelector("summary").textContent}`.toLowerCase();
          panel.hidden = !words.every((word) => text.includes(word));
          if (!panel.hidden) count += 1;
        }
        path.hidden = path.querySelector("details.panel:not([hidden])") === null;
      }
      section.hidden =
        input.value.trim() !== "" && section.querySelector(".path-of-api:not([hidden])") === null;
    }
    for (const guide of document.querySelectorAll(".guide")) guide.hidden = input.value.trim() !== "";
    status.textContent = input.value.trim() === "" ? "" : `${count} found`;
  };
  form.hidden = false;
  input.addEventListener("input", find);
  form.addEventListener("submit", (event) => event.preventDefault());
}

async function submit(form, button) {
  const { method } = button.dataset;
  clearMessages(form);
  const read = bodyOf(form, method);
  if ("errors" in read) {
    showFaults(form, "The form was not sent.", read.errors);
    return;
  }
  button.disabled = true;
  try {
    const response = await fetch(location.pathname, {
      method,
      body: read.body,
      headers: headersOf(form, method, read.type),
      credentials: "same-origin",
    });
    const text = await response.text();
    const value = parsed(text);
    if (response.ok && form.dataset.leadsTo !== undefined) showAccepted(form, response, value);
    else if (response.ok) leave(method, value);
    else showFaults(form, `HTTP ${response.status} ${response.statusText}`, ofItem(form, value ?? text));
  } catch {
    showFaults(form, "The server did not respond. Your request may or may not have arrived.", {});
  } finally {
    button.disabled = false;
  }
}

function headersOf(form, method, type) {
  const { csrf } = form.closest("[data-csrf]").dataset;
  const headers = { accept: "application/json" };
  if (type !== undefined) headers["content-type"] = type;
  if (csrf !== "") headers["x-csrftoken"] = csrf;
  // PUT replaces an object only if it has not changed since the page was loaded.
  if (method === "PUT" && form.dataset.etag !== undefined) headers["if-match"] = form.dataset.etag;
  return headers;
}

/** The request body and its type, or the errors found before sending. */
function bodyOf(form, method) {
  const { send } = form.dataset;
  if (send === "nothing") return {};
  if (send === "raw") {
    const type = form.querySelector("[data-part=type]").value;
    return { type, body: form.querySelector("[data-part=content]").value };
  }
  // A field with a list has no control, so it keeps its value.
  const blank = parsed(document.getElementById(form.dataset.raw).defaultValue) ?? {};
  const whole = takesList(form) ? blank[0] : blank;
  const values = method === "PATCH" ? {} : whole;
  const errors = {};
  for (const control of form.querySelectorAll("[data-type]")) {
    if (method === "PATCH" && !isChanged(control)) continue;
    const value = isLeftOut(control, method) ? undefined : valueOf(control, whole[control.name]);
    if (value === notJson) errors[control.name] = ["This is not JSON."];
    else if (value === undefined) delete values[control.name];
    else values[control.name] = value;
  }
  if (Object.keys(errors).length > 0) return { errors };
  return { type: "application/json", body: JSON.stringify(takesList(form) ? [values] : values) };
}

const takesList = (form) => form.dataset.list !== undefined;

/** The errors of the item, if the form sent a list of one item. */
function ofItem(form, value) {
  if (form.dataset.send !== "fields" || !takesList(form)) return value;
  const errors = value?.data ?? value;
  return Array.isArray(errors) && errors.length === 1 ? errors[0] : errors;
}

/** Whether to omit the field. A POST omits empty numbers and dates, because null would be rejected. */
function isLeftOut({ value, dataset }, method) {
  return method === "POST" && value === "" && ["integer", "number", "datetime"].includes(dataset.type);
}

const notJson = Symbol("not JSON");

/** Undefined omits the field. An empty control means null if the field was null or cannot be empty text. */
function valueOf(control, shown) {
  if (control.type === "checkbox") return control.checked;
  const { value } = control;
  const option = control.selectedOptions?.[0];
  if (option?.disabled) return undefined;
  const kind = control.dataset.type;
  if (value === "" && (shown === null || !["string", "text", "url", "choice"].includes(kind))) return null;
  if (kind === "boolean") return value === "true";
  if (kind === "integer" && /^\s*-?\d{1,15}\s*$/.test(value)) return Number(value);
  if (kind !== "json") return value;
  const read = parsed(value);
  return read === undefined ? notJson : read;
}

function isChanged(control) {
  if (control.type === "checkbox") return control.checked !== control.defaultChecked;
  if (control.options === undefined) return control.value !== control.defaultValue;
  return [...control.options].some((option) => option.selected !== option.defaultSelected);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Goes to the created or changed object, or to the parent of the deleted one. */
function leave(method, value) {
  const asPage = "?format=api";
  if (method === "DELETE") location.assign(new URL(`..${asPage}`, location.origin + location.pathname));
  else if (method === "POST" && Number.isInteger(value?.id)) {
    location.assign(new URL(`${value.id}/${asPage}`, location.origin + location.pathname));
  } else location.assign(location.pathname + (location.search === "" ? asPage : location.search));
}

function clearMessages(form) {
  for (const list of form.querySelectorAll("[data-messages]")) list.replaceChildren();
  for (const control of form.querySelectorAll("[aria-invalid]")) control.removeAttribute("aria-invalid");
  form.querySelector("[data-part=answer]").replaceChildren();
}

/** Stays on the page, since its address cannot be read with GET, and shows the response and a link to continue. */
function showAccepted(form, { status, statusText }, value) {
  const top = form.querySelector("[data-part=answer]");
  const line = element("p", `HTTP ${status} ${statusText}: this was accepted. `);
  line.className = "made";
  const link = element("a", "Continue");
  link.href = new URL(`${form.dataset.leadsTo}?format=api`, location.origin + location.pathname).href;
  line.append(link);
  top.replaceChildren(line);
  if (typeof value === "object" && value !== null) top.append(element("pre", JSON.stringify(value, null, 2)));
  top.focus();
}

/** Shows each message at its field. Other messages, and those of raw data, appear at the top. */
function showFaults(form, status, errors) {
  const rest = [];
  const isByField = typeof errors === "object" && errors !== null && !Array.isArray(errors);
  for (const [name, value] of isByField ? Object.entries(errors) : [["", errors]]) {
    const messages = messagesIn(value);
    const list = form.querySelector(`[data-messages="${CSS.escape(name)}"]`);
    if (list === null) {
      const isNamed = !["", "detail", "non_field_errors"].includes(name);
      rest.push(...messages.map((message) => (isNamed ? `${name}: ${message}` : message)));
      continue;
    }
    list.replaceChildren(...messages.map((message) => element("li", message)));
    form.querySelector(`[data-type][name="${CSS.escape(name)}"]`)?.setAttribute("aria-invalid", "true");
  }
  const top = form.querySelector("[data-part=answer]");
  const line = element("p", status);
  line.className = "form-status";
  const list = element("ul", "");
  list.className = "messages";
  list.append(...rest.map((message) => element("li", message)));
  top.replaceChildren(line, list);
  top.focus();
}

function messagesIn(value) {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) {
    const isPlain = value.every((item) => typeof item === "string");
    if (isPlain) return value;
    return value.flatMap((item, index) => messagesIn(item).map((message) => `${index + 1}: ${message}`));
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    messagesIn(inner).map((message) => `${name}: ${message}`),
  );
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
