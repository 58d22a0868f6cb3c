import type { Config } from "../config-values.ts";
import type { Kind } from "../value-kinds.ts";

export type SettingTable = { readonly [Name in keyof Config]: SettingOf<Config[Name]> };

export interface Setting {
  variable: `QUIRE_${string}`;
  kind: Kind<unknown>;
  /** As it would be written in the environment. Null if there is no default. */
  default: string | null;
  /** The behaviour if the setting is not given and has no default, in words. */
  otherwise?: string;
  help: string;
  /** Its value is never shown to anyone. */
  secret?: true;
}

type SettingOf<Value> = Setting & { kind: Kind<NonNullable<Value>> } & (null extends Value
    ? { default: null; otherwise: string }
    : { default: string });
