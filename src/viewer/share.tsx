import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { copyText } from "./copy.ts";
import { Dialog } from "./dialog.tsx";
import { ChoiceField, fieldOf } from "./form/field.tsx";
import type { DocumentRecord } from "./model/api.ts";
import { formatFragment } from "./model/destination.ts";
import type { ViewerState } from "./state/viewer-state.ts";
import { texts } from "./texts/texts.ts";

/** The colours of a frame; empty for those of the reader. */
const themeNames = ["", "light", "dark"] as const;
const themes = themeNames.map((name, index) => [name, texts.embedThemes[index] ?? ""] as const);

/** Links to the document, the page and the open note, and the code that embeds each. */
export function ShareDialog({ viewer, onClose }: { viewer: ViewerState; onClose: () => void }) {
  const { canonical_url } = viewer.record.value;
  const page = viewer.scrolling.page.value;
  const note = viewer.openNote.value;
  const destinations = [
    { label: texts.shareDocument, address: canonical_url },
    { label: texts.page(page), address: `${canonical_url}${formatFragment({ page, note: null })}` },
    ...(note === null
      ? []
      : [{ label: texts.shareNote, address: `${canonical_url}${formatFragment({ page, note })}` }]),
  ];
  const chosen = useSignal(0);
  const code = useSignal("");
  const theme = useSignal<(typeof themeNames)[number]>("");
  const address = destinations[chosen.value]?.address ?? canonical_url;
  useEffect(() => {
    const leaving = new AbortController();
    const load = async (): Promise<void> => {
      code.value = "";
      // If the code cannot be fetched, the dialog still shows the link.
      const html = await viewer.api.embedCode(address).catch(() => "");
      if (!leaving.signal.aborted) code.value = html;
    };
    void load();
    return () => leaving.abort();
  }, [address]);
  const themed = theme.value === "" ? code.value : withTheme(code.value, theme.value);
  const preview = /\ssrc="([^"]+)"/.exec(themed)?.[1]?.replaceAll("&amp;", "&");
  return (
    <Dialog title={texts.share} onClose={onClose}>
      <p class="visibility">
        {visibilityOf(viewer.record.value)}{" "}
        {viewer.mayEdit && (
          <a href={viewer.api.pageAddress(`account/guests/?document=${viewer.record.value.id}`)}>
            {texts.guestLinks}
          </a>
        )}
      </p>
      <fieldset class="choices">
        <legend>{texts.share}</legend>
        {destinations.map(({ label }, index) => (
          <label key={label} class="check">
            <input
              type="radio"
              name="share"
              checked={index === chosen.value}
              onChange={() => (chosen.value = index)}
            />{" "}
            {label}
          </label>
        ))}
      </fieldset>
      <Copied label={texts.link} action={texts.copyLink} text={address} />
      {"share" in navigator && (
        <p class="buttons">
          <button
            type="button"
            class="button small"
            onClick={() => void send(viewer.record.value.title, address)}
          >
            {texts.sendLink}
          </button>
        </p>
      )}
      <ChoiceField field={fieldOf(theme)} label={texts.embedTheme} choices={themes} />
      <Copied label={texts.embedCode} action={texts.copyEmbedCode} text={themed} />
      {preview !== undefined && <iframe class="preview" src={preview} title={texts.preview} />}
    </Dialog>
  );
}

/** Offers the link to the apps of the device. */
async function send(title: string, url: string): Promise<void> {
  // Somebody who closes the device's list without a choice makes this fail. The link is still shown.
  await navigator.share({ title, url }).catch(() => undefined);
}

/** The code of a frame whose colours do not depend on the reader. */
function withTheme(code: string, theme: "light" | "dark"): string {
  return code.replace(
    /(\ssrc="[^"#?]*)(\?[^"#]*)?/,
    (_, before: string, query?: string) =>
      `${before}${query === undefined ? "?" : `${query}&amp;`}theme=${theme}`,
  );
}

/** Who can open the link. A document that was not read to the end is shown to those who may change it alone. */
function visibilityOf({ access, status }: DocumentRecord): string {
  const isReady = status === "success" || status === "readable";
  const visibility = isReady ? access : "notYet";
  return visibility === "public" || visibility === "organization" || visibility === "notYet"
    ? texts.visibility[visibility]
    : texts.visibility.private;
}

function Copied({ label, action, text }: { label: string; action: string; text: string }) {
  const said = useSignal("");
  const copy = async (): Promise<void> => {
    said.value = (await copyText(text)) ? texts.copied : texts.copyByHand;
  };
  return (
    <div class="field copied">
      <label>
        {label}
        <textarea readOnly rows={2} value={text} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <p class="buttons">
        <button type="button" class="button small" onClick={() => void copy()}>
          {action}
        </button>
        <span role="status">{said.value}</span>
      </p>
    </div>
  );
}
