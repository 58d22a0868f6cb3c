import type { View } from "../../http/browsable/view.ts";

export const eventList: View = {
  name: "Event List",
  description: "What happened to documents, notes, sections and projects that you may see, in order.",
};

export const eventStream: View = {
  name: "Event Stream",
  description: "The same as a stream of server-sent events, which goes on as things happen.",
};
