import { ts } from "@ts-morph/common";

/**
 * The compiler as a library, as in the package `typescript` before version 7. Version 7 has no programming interface.
 */
// oxlint-disable-next-line import/no-default-export -- it stands in for a package that exports itself so.
export default ts;
