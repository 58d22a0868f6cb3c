import { hash } from "node:crypto";
import { type Html, markupFrom } from "../text/html.ts";

/*
 * The key "/" on every page. Pages for strangers have no script of their own, and their policy allows none but this
 * one, by its hash. A page whose script has the key itself prevents the key's default first.
 */

const script = `const find = () =>
  [...document.querySelectorAll("input[type=search]")].find((one) => one.checkVisibility());
if (location.hash === "#search") find()?.focus();
addEventListener("keydown", (event) => {
  const { key, target, defaultPrevented, ctrlKey, metaKey, altKey } = event;
  if (key !== "/" || defaultPrevented || ctrlKey || metaKey || altKey) return;
  if (target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
  if (document.querySelector("dialog[open]")) return;
  try {
    if (localStorage.getItem("quire-single-keys") === "off") return;
  } catch {}
  const field = find();
  event.preventDefault();
  if (field) field.focus();
  else location.assign(document.body.dataset.search + "#search");
});`;

/** The part of a policy that allows the script. */
export const searchKeyHash = `'sha256-${hash("sha256", script, "base64")}'`;

/** The script. The body of the page names the page of documents, for pages without a search box. */
export const searchKeyScript: Html = markupFrom(`<script>${script}</script>`);
