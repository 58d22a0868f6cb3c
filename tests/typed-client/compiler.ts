import { ts } from "@ts-morph/common";

/** The compiler as a library, as the package `typescript` was before version 7, which has no programming interface. */
// oxlint-disable-next-line import/no-default-export -- it stands in for a package that exports itself so.
export default ts;
