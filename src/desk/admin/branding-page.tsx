import { useEffect, useId, useMemo, useState } from "preact/hooks";
import type { SiteBranding } from "../../contract/branding.ts";
import {
  type BrandingMember,
  brandingLimits,
  brandingSettings,
  maxAddressLength,
} from "../../contract/limits.ts";
import { Draft, type Field } from "../../viewer/form/draft.ts";
import { CheckField, TextField } from "../../viewer/form/field.tsx";
import { Form } from "../../viewer/form/form.tsx";
import { recordAt } from "../../viewer/form/merge.ts";
import { texts as viewerTexts } from "../../viewer/texts/texts.ts";
import { AdminResource } from "../model/admin-resource.ts";
import { adminTexts } from "../model/admin-texts.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { texts } from "../model/texts.ts";
import { AdminPage } from "./parts.tsx";

const words = adminTexts.branding;
const path = "admin/branding/";

/** The page on which administrators say what the site is called and looks like. */
export function BrandingPage({ api }: { api: DeskApi }) {
  const branding = useMemo(() => new AdminResource<SiteBranding>(api, path), [api]);
  useEffect(() => void branding.load(), [branding]);
  const found = branding.answer.value;
  return (
    <AdminPage api={api} current="branding" message={branding.message}>
      <p class="help">{words.help}</p>
      {found === null ? <p>{texts.loading}</p> : <BrandingForm found={found} branding={branding} />}
    </AdminPage>
  );
}

/** The logo is an image in base64, empty to remove it; null leaves it as it is. */
type Values = Pick<SiteBranding, Exclude<BrandingMember, "logo">> & { logo: string | null };

const valuesOf = ({ name, about, colour, imprint_url, privacy_url }: SiteBranding): Values => ({
  name,
  about,
  colour,
  imprint_url,
  privacy_url,
  logo: null,
});

const limits = {
  name: brandingLimits.name,
  about: brandingLimits.about,
  colour: 7,
  imprint_url: maxAddressLength,
  privacy_url: maxAddressLength,
};

function BrandingForm({ found, branding }: { found: SiteBranding; branding: AdminResource<SiteBranding> }) {
  const [draft] = useState(() => new Draft(valuesOf(found), { limits, gone: adminTexts.notFound }));
  const record = recordAt<Values, SiteBranding>(branding.api, path, { valuesOf });
  const save = (): Promise<boolean> =>
    draft.save(record, async (saved) => {
      draft.reset(valuesOf(saved));
      showOnPage(saved);
      await branding.noteChange(words.saved);
    });
  const variableOf = (name: BrandingMember): string | null =>
    found.set_in_environment.includes(name) ? brandingSettings[name] : null;
  const textOf = (name: Exclude<BrandingMember, "logo">, help: string) => {
    const variable = variableOf(name);
    return {
      field: draft.field(name),
      help: variable === null ? help : words.fixed(variable),
      isDisabled: variable !== null,
    };
  };
  return (
    <Form draft={draft} send={save} submit={viewerTexts.save} label={adminTexts.pages.titles.branding}>
      <TextField label={words.name} {...textOf("name", words.nameHelp)} />
      <TextField label={words.about} {...textOf("about", words.aboutHelp)} />
      <LogoField
        field={draft.field("logo")}
        logo={found.logo}
        help={words.logoHelp(brandingLimits.logoBytes)}
        variable={variableOf("logo")}
      />
      <ColourField {...textOf("colour", words.colourHelp)} />
      <TextField label={words.imprint} type="url" {...textOf("imprint_url", words.addressHelp)} />
      <TextField label={words.privacy} type="url" {...textOf("privacy_url", words.addressHelp)} />
    </Form>
  );
}

/** What the picker shows while no colour is chosen. */
const quiresBlue = "#17527f";

function ColourField({
  field,
  help,
  isDisabled,
}: {
  field: Field<string>;
  help: string;
  isDisabled: boolean;
}) {
  const isComplete = /^#[\da-f]{6}$/i.test(field.value);
  return (
    <TextField label={words.colour} field={field} help={help} isDisabled={isDisabled}>
      <input
        type="color"
        aria-label={words.pickColour}
        disabled={isDisabled}
        value={isComplete ? field.value : quiresBlue}
        onInput={({ currentTarget }) => field.set(currentTarget.value)}
      />
    </TextField>
  );
}

function LogoField({
  field,
  logo,
  help,
  variable,
}: {
  field: Field<string | null>;
  logo: string | null;
  help: string;
  variable: string | null;
}) {
  const id = useId();
  const [problem, setProblem] = useState("");
  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return field.set(null);
    const isTooLarge = file.size > brandingLimits.logoBytes;
    setProblem(isTooLarge ? words.logoTooLarge(brandingLimits.logoBytes) : "");
    field.set(isTooLarge ? null : await inBase64(file));
  };
  const fault = problem || (field.fault ?? "");
  return (
    <>
      <p class="field">
        <label for={id}>{words.logo}</label>
        {logo !== null && field.value === null && (
          <img class="chosen-logo" src={logo} alt={words.logoNow} height="28" />
        )}
        <input
          id={id}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          disabled={variable !== null || field.value === ""}
          aria-invalid={fault === "" ? undefined : "true"}
          aria-describedby={`${id}-help ${id}-fault`}
          onChange={({ currentTarget: { files } }) => void choose(files?.[0])}
        />
        {fault !== "" && (
          <span class="problem" role="alert" id={`${id}-fault`}>
            {fault}
          </span>
        )}
        <span class="help" id={`${id}-help`}>
          {variable === null ? help : words.fixed(variable)}
        </span>
      </p>
      {variable === null && logo !== null && (
        <CheckField
          label={words.removeLogo}
          field={{ value: field.value === "", set: (isRemoved) => field.set(isRemoved ? "" : null) }}
        />
      )}
    </>
  );
}

async function inBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Shows the new appearance on this page, which the server has sent with the old one. */
function showOnPage({ shown_name: name, logo, colours }: SiteBranding): void {
  const image = document.querySelector<HTMLImageElement>(".brand img");
  const text = document.querySelector(".brand span");
  const icon = document.querySelector<HTMLLinkElement>("link[rel='icon']");
  if (image !== null) image.src = logo ?? icon?.href ?? "";
  if (text !== null) text.textContent = name;
  for (const sheet of document.querySelectorAll("link[rel='stylesheet'][href*='/static/colours-']"))
    sheet.remove();
  if (colours === null) return;
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = colours;
  document.head.append(sheet);
}
