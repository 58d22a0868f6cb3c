import { invalidWhole, reasonOf } from "../../errors.ts";
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

/** Why a configuration is no JSON Schema; null if it is one. */
export async function findSchemaFault(schema: object): Promise<string | null> {
  const { Ajv } = await import("ajv");
  try {
    new Ajv({ strict: false, validateFormats: false, logger: false }).compile(schema);
    return null;
  } catch (error) {
    const [first = ""] = reasonOf(error)
      .replace(/^schema is invalid: /, "")
      .split(", data/");
    return first.replace(/^data\//, "").replaceAll("/", ".");
  }
}
