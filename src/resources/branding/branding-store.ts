import type { Reader, Writer } from "../../database/database.ts";
import { rowsOf } from "../../database/rows.ts";
import type { SiteBrandingTable } from "../../database/tables.ts";

/** What administrators have said of the site. An empty text stands for the default; the logo is a PNG in base64. */
export type StoredBranding = Omit<SiteBrandingTable, "id">;

export const noBranding: StoredBranding = {
  name: "",
  about: "",
  colour: "",
  imprint_url: "",
  privacy_url: "",
  logo: "",
};

export async function findBranding(reader: Pick<Reader, "selectFrom">): Promise<StoredBranding> {
  const [row] = await rowsOf(reader, "site_branding", {});
  if (row === undefined) return noBranding;
  const { id: _, ...stored } = row;
  return stored;
}

/** Two administrators who change different members at a time both keep their change. */
export async function changeBranding(writer: Writer, changes: Partial<StoredBranding>): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await writer
    .insertInto("site_branding")
    .values({ id: 1, ...noBranding, ...changes })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(changes))
    .execute();
}
