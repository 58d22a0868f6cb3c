import type { Section } from "../../contract/document.ts";
import type { SectionRow } from "./store.ts";

export function presentSection({ id, page_number, title }: SectionRow): Section {
  return { id, page_number, title };
}
