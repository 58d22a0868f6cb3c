import { invalidWhole } from "../../errors.ts";
import type { AddonRow } from "./store.ts";

/**
 * Checks the parameters of a run against the add-on's configuration, which is a JSON Schema with members of its own.
 * Formats are not checked, as in DocumentCloud. The library is loaded for the first run.
 *
 * @throws {ApiError} 400 with the first fault
 */
export async function checkParameters(
  { parameters: schema }: Pick<AddonRow, "parameters">,
  parameters: object,
): Promise<void> {
  const { Ajv } = await import("ajv");
  const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false, logger: false });
  const check = ajv.compile(JSON.parse(schema) as object);
  if (check(parameters)) return;
  const [fault] = check.errors ?? [];
  const where = (fault?.instancePath ?? "").slice(1).replaceAll("/", ".");
  throw invalidWhole(
    `${where === "" ? "parameters" : where} ${fault?.message ?? "are not valid"}`.slice(0, 500),
  );
}

/** Whether a configuration is a JSON Schema at all. */
export async function isUsableSchema(schema: object): Promise<boolean> {
  const { Ajv } = await import("ajv");
  try {
    new Ajv({ strict: false, validateFormats: false, logger: false }).compile(schema);
    return true;
  } catch {
    return false;
  }
}
