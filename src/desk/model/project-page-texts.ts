import words from "#words/project-page.json" with { type: "json" };
import type { CollaboratorAccess } from "../../contract/project.ts";
import { textsOf } from "../../texts/texts-of.ts";
import { formats } from "../../viewer/texts/formats.ts";

const texts = textsOf(
  words,
  {
    remove: (count: number) => ({ count }),
    removed: (count: number) => ({ count }),
    added: (count: number) => ({ count }),
    found: (count: number) => ({ count }),
    addSelected: (count: number) => ({ count }),
    addAllFound: (count: number) => ({ count }),
    rightOf: (name: string) => ({ name }),
    invited: (name: string) => ({ name }),
    rightChanged: (name: string) => ({ name }),
    dismiss: (name: string) => ({ name }),
    dismissed: (name: string) => ({ name }),
    choose: (name: string, username: string) => ({ name, username }),
    nobody: (text: string) => ({ text }),
    askDelete: (title: string) => ({ title }),
  },
  formats,
);

/** The texts of a project's page. */
export const projectPageTexts = {
  ...texts,
  rights: texts.rights satisfies Readonly<Record<CollaboratorAccess, string>>,
};
