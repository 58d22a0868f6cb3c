import type { View } from "../../http/browsable/view.ts";
import { productionFields } from "./fields.ts";

export const productionList: View = {
  name: "Production List",
  description: "Documents with a number for each page, made for another party.",
  fields: { POST: productionFields },
};

export const productionInstance: View = {
  name: "Production",
  description: "How far a production has come. DELETE cancels it or removes its files; its numbers stay.",
};

export const producedList: View = {
  name: "Produced Document List",
  description: "The documents of a production with their numbers.",
};

export const productionZipView: View = {
  name: "Production Volume",
  description: "The files of a production as a ZIP archive.",
};

export const numbersView: View = {
  name: "Bates Numbers",
  description: "The numbers that a document has got in productions.",
};
