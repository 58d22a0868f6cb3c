import type { View } from "../../http/browsable/view.ts";
import { adminView } from "../administration/views.ts";
import { changedProviderFields, providerFields } from "./fields.ts";

export const providerListView: View = {
  ...adminView("Identity Provider List", "Services at which people sign in, by OpenID Connect."),
  fields: { POST: providerFields },
};

export const providerView: View = {
  ...adminView("Identity Provider", "A service at which people sign in."),
  fields: { PUT: providerFields, PATCH: changedProviderFields },
};

export const providerCheckView: View = {
  ...adminView("Identity Provider Check", "What the provider answers now, as a sign-in would ask it."),
};
