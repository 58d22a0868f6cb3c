/** How routes describe what they take and answer. */
export { type JsonSchema, type Properties, Type } from "../../contract/shape.ts";
