import { type Tool, tool } from "./tool.ts";

/** Only somebody who has signed in gets an answer: a client without a token is sent to the sign-in page first. */
export const signInTool: Tool = tool(
  {
    name: "sign_in",
    title: "Sign in",
    description:
      "Has the person sign in, so that you see what they may see. Use it when they ask for it, or when something is " +
      "not found that they say is there. Answers who has signed in.",
    input: {},
  },
  async (_given, ask) => {
    const { username, name } = (await ask({ path: "/api/users/me/" })) as { username: string; name: string };
    return { username, name, url: `${ask.web}/account/` };
  },
);
