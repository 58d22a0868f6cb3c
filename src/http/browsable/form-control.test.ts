import { describe, expect, it } from "vitest";
import { boolean, choice, dateTime, integer, key, listOf, text, url } from "../fields/field-kinds.ts";
import type { Field } from "../fields/fields.ts";
import { formControl } from "./form-control.ts";

const shown = (field: Field, more: { value?: unknown; sent?: string; messages?: string[] } = {}): string =>
  formControl(
    { name: "one", field, value: more.value, sent: more.sent, messages: more.messages ?? [] },
    "post",
  )
    .toString()
    .replaceAll(/\s+/g, " ");

const optionsIn = (markup: string): string[] =>
  Array.from(
    markup.matchAll(/<option value="([^"]*)" ?(selected)? ?(disabled)?\s*>/g),
    ([, value, ...marks]) => [value, ...marks.filter((mark) => mark !== undefined)].join(" ").trim(),
  );

describe("the control of a field", () => {
  it("has a label, a help text and a mark if it is required", () => {
    const markup = shown(text({ label: "Title", help: "What it says", required: true }));
    expect(markup).toMatch(/<label for="post-one">Title <span class="required">required<\/span><\/label>/);
    expect(markup).toMatch(/<input type="text" id="post-one" name="one"/);
    expect(markup).toContain(`aria-describedby="post-one-messages post-one-help"`);
    expect(markup).toContain(`<p class="help" id="post-one-help">What it says</p>`);
    expect(markup).toContain(`aria-required="true"`);
    expect(shown(text({}))).toContain(`<label for="post-one">One</label>`);
  });

  it("is a text area for long texts and JSON, and a text input otherwise", () => {
    expect(shown(text({ long: true }), { value: "\n<b>" })).toMatch(
      /<textarea [^>]*> &#60;b&#62;<\/textarea>/,
    );
    const data = shown({ type: "json", read: String }, { value: { a: ["b"] } });
    expect(data).toContain(`{ &#34;a&#34;: [ &#34;b&#34; ] }</textarea>`);
    expect(shown(url({}), { value: "https://a.org" })).toMatch(/type="url" [^>]*value="https:\/\/a.org"/);
    expect(shown(integer({}), { value: 5 })).toMatch(/type="text" inputmode="numeric" [^>]*value="5"/);
    expect(shown(dateTime({}))).toContain("2030-01-31T12:00:00Z");
  });

  it("keeps a new line at the start of a text", () => {
    const area = formControl(
      { name: "one", field: text({ long: true }), value: "\nb", messages: [] },
      "post",
    );
    expect(area.toString()).toMatch(/>\n\nb<\/textarea>/);
  });

  it("is a checkbox only if unchecked means false", () => {
    expect(shown(boolean({ default: false }))).toContain(`type="checkbox"`);
    expect(shown(boolean({ default: false }), { value: true })).toMatch(/checkbox[^>]*checked/);
    expect(optionsIn(shown(boolean({ default: true }), { value: true }))).toEqual(["true selected", "false"]);
    expect(optionsIn(shown(boolean({ required: true })))).toEqual(["selected disabled", "true", "false"]);
    expect(optionsIn(shown(boolean({ nullable: true })))).toEqual(["selected", "true", "false"]);
  });

  it("offers the choices, and an empty option only if the field accepts one", () => {
    const levels = ["a", "b"] as const;
    expect(optionsIn(shown(choice(levels, {}), { value: "b" }))).toEqual(["a", "b selected"]);
    expect(optionsIn(shown(choice(levels, {})))).toEqual(["selected disabled", "a", "b"]);
    expect(optionsIn(shown(choice(levels, { blank: true }), { value: "a" }))).toEqual([
      "",
      "a selected",
      "b",
    ]);
    expect(optionsIn(shown(choice(levels, {}), { value: "invisible" }))).toEqual([
      "a",
      "b",
      "invisible selected",
    ]);
  });

  it("hides a password and never repeats it", () => {
    const markup = formControl(
      { name: "password", field: text({}), value: undefined, sent: "secret", messages: [] },
      "post",
    ).toString();
    expect(markup).toContain(`type="password"`);
    expect(markup).not.toContain("secret");
  });

  it("repeats rejected input with its errors", () => {
    const markup = shown(integer({}), { value: 5, sent: `"><b>`, messages: ["No <i>."] });
    expect(markup).toContain(`value="&#34;&#62;&#60;b&#62;"`);
    expect(markup).toContain(`aria-invalid="true"`);
    expect(markup).toMatch(/id="post-one-messages"[^>]*> <li>No &#60;i&#62;.<\/li>/);
  });

  it("is omitted for lists", () => {
    const markup = shown(listOf(key({}), {}));
    expect(markup).toContain("Lists are not supported in HTML input");
    expect(markup).not.toMatch(/<input|<textarea|<select|<label/);
  });
});
