/** Texts shrink to a tenth, in rare tables to a fiftieth. A file with a higher ratio was crafted as a bomb. */
export const maxRatio = 250;
/** A file that is no larger when unpacked may have any ratio. */
export const smallEnough = 16 * 1024 * 1024;
