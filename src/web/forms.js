// Sends the forms of the browsable page that a browser cannot send by itself: PUT, PATCH, DELETE and raw data. What is
// answered is shown in place; texts from outside only ever become text.

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

async function submit(form, button) {
  const { method } = button.dataset;
  clearMessages(form);
  const read = bodyOf(form, method);
  if ("faults" in read) {
    showFaults(form, "This was not sent.", read.faults);
    return;
  }
  button.disabled = true;
  try {
    const answer = await fetch(location.pathname, {
      method,
      body: read.body,
      headers: headersOf(form, method, read.type),
      credentials: "same-origin",
    });
    const text = await answer.text();
    const value = parsed(text);
    if (answer.ok && form.dataset.leadsTo !== undefined) showAccepted(form, answer);
    else if (answer.ok) leave(method, value);
    else showFaults(form, `HTTP ${answer.status} ${answer.statusText}`, ofItem(form, value ?? text));
  } catch {
    showFaults(form, "There was no answer. What you sent may have arrived or not.", {});
  } finally {
    button.disabled = false;
  }
}

function headersOf(form, method, type) {
  const { csrf } = form.closest("[data-csrf]").dataset;
  const headers = { accept: "application/json" };
  if (type !== undefined) headers["content-type"] = type;
  if (csrf !== "") headers["x-csrftoken"] = csrf;
  // As a whole, a thing is only replaced as it was seen.
  if (method === "PUT" && form.dataset.etag !== undefined) headers["if-match"] = form.dataset.etag;
  return headers;
}

/** What to send: a body and its type, or what is wrong with it already. */
function bodyOf(form, method) {
  const { send } = form.dataset;
  if (send === "nothing") return {};
  if (send === "raw") {
    const type = form.querySelector("[data-part=type]").value;
    return { type, body: form.querySelector("[data-part=content]").value };
  }
  // What has no control, a list, stays as it is.
  const blank = parsed(document.getElementById(form.dataset.raw).defaultValue) ?? {};
  const whole = takesList(form) ? blank[0] : blank;
  const values = method === "PATCH" ? {} : whole;
  const faults = {};
  for (const control of form.querySelectorAll("[data-type]")) {
    if (method === "PATCH" && !isChanged(control)) continue;
    const value = isLeftOut(control, method) ? undefined : valueOf(control, whole[control.name]);
    if (value === notJson) faults[control.name] = ["This is not JSON."];
    else if (value === undefined) delete values[control.name];
    else values[control.name] = value;
  }
  if (Object.keys(faults).length > 0) return { faults };
  return { type: "application/json", body: JSON.stringify(takesList(form) ? [values] : values) };
}

const takesList = (form) => form.dataset.list !== undefined;

/** The faults of the one item that a form sent in a list. */
function ofItem(form, value) {
  if (form.dataset.send !== "fields" || !takesList(form)) return value;
  const faults = value?.data ?? value;
  return Array.isArray(faults) && faults.length === 1 ? faults[0] : faults;
}

/** A number or a date that nobody typed is not sent with what is new: null would be refused. */
function isLeftOut({ value, dataset }, method) {
  return method === "POST" && value === "" && ["integer", "number", "datetime"].includes(dataset.type);
}

const notJson = Symbol("not JSON");

/** Undefined: not given. An empty control stands for null where null is what it showed, or what there can be. */
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

/** To what was made or changed, or to where what was deleted had been. */
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

/** Where this address has nothing to read, the person stays and is told, with a link to what was changed. */
function showAccepted(form, { status, statusText }) {
  const top = form.querySelector("[data-part=answer]");
  const line = element("p", `HTTP ${status} ${statusText}: this was accepted. `);
  line.className = "made";
  const link = element("a", "Go on");
  link.href = new URL(`${form.dataset.leadsTo}?format=api`, location.origin + location.pathname).href;
  line.append(link);
  top.replaceChildren(line);
  top.focus();
}

/** Each message goes to its field; all others, and those of raw data, to the top. */
function showFaults(form, status, faults) {
  const rest = [];
  const isByField = typeof faults === "object" && faults !== null && !Array.isArray(faults);
  for (const [name, value] of isByField ? Object.entries(faults) : [["", faults]]) {
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
    const isPlain = value.every((one) => typeof one === "string");
    if (isPlain) return value;
    return value.flatMap((one, index) => messagesIn(one).map((message) => `${index + 1}: ${message}`));
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
