import { type Command, defineCommand } from "./command-line.ts";

const data = { setting: "data", placeholder: "FOLDER" } as const;

const add = defineCommand({
  name: "languages add",
  summary: "Add languages in which the text of images is recognised.",
  arguments: {
    placeholder: "<code>…",
    help: "Codes of languages, such as deu: those of the API, or tesseract's. npm fetches the data.",
    min: 1,
    max: 40,
  },
  options: { data },
  async run({ config, signal, arguments: codes, stdout }) {
    const [{ addOcrData }, { addedLanguagesFolder }] = await Promise.all([
      import("../processing/ocr/add-ocr-data.ts"),
      import("../processing/ocr/ocr-data.ts"),
    ]);
    const folder = addedLanguagesFolder(config.data);
    for (const code of codes) {
      const file = await addOcrData(code, folder, { signal });
      stdout.write(`Added ${code} (${file}). Process documents in it again to recognise their text.\n`);
    }
    return 0;
  },
});

const list = defineCommand({
  name: "languages list",
  summary: "List the languages in which the text of images is recognised here.",
  options: { data },
  async run({ config, stdout }) {
    const { ocrFolders, ocrLanguagesThere } = await import("../processing/ocr/ocr-data.ts");
    for (const code of await ocrLanguagesThere(ocrFolders(config))) stdout.write(`${code}\n`);
    return 0;
  },
});

export const languagesCommands: readonly Command[] = [add, list];
