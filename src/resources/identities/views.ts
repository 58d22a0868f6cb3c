import type { View } from "../../http/browsable/view.ts";
import { adminView } from "../administration/views.ts";

export const providerListView: View = adminView(
  "Identity Provider List",
  "Services at which people sign in, by OpenID Connect.",
);

export const providerView: View = adminView("Identity Provider", "A service at which people sign in.");

export const providerCheckView: View = {
  ...adminView("Identity Provider Check", "What the provider answers now, as a sign-in would ask it."),
};
