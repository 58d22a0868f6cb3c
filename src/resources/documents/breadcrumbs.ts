/** The pages above a document's own, as the browsable pages link them. */
export const root = { name: "Api Root", path: "" };
export const list = { name: "Document List", path: "documents/" };
