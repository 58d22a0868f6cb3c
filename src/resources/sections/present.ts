import type { SectionRow } from "./store.ts";

export type SectionJson = Record<string, unknown>;

export function presentSection({ id, page_number, title }: SectionRow): SectionJson {
  return { id, page_number, title };
}
