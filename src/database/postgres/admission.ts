import { withoutPrimary } from "./failures.ts";

type Facts = Readonly<Record<string, unknown>>;

/** Which servers a pool uses. */
export interface Admission {
  /** What every new connection is asked: the end of a list of columns. */
  readonly facts: string;
  /**
   * Must be called before a connection is asked. The result says why a server with these facts is not used; null if it
   * is.
   */
  asking(): (facts: Facts) => Error | null;
}

const refusalOfStandby = ({ isStandby }: Facts): Error | null =>
  isStandby === true ? withoutPrimary(["a standby"]) : null;

export const primariesAlone: Admission = {
  facts: `pg_is_in_recovery() as "isStandby"`,
  asking: () => refusalOfStandby,
};
