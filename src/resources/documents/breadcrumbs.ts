/** The parents of a document's browsable page, as its breadcrumbs link them. */
export const root = { name: "Api Root", path: "" };
export const list = { name: "Document List", path: "documents/" };
