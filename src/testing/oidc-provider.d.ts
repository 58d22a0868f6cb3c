/** What the tests use of the package, which has no types of its own. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface Client {
    backchannelLogout(subject: string, session: string): Promise<void>;
  }

  interface Details {
    prompt: { name: string };
    params: { client_id: string; scope?: string };
    session?: { accountId: string };
  }

  export class Provider {
    constructor(issuer: string, settings: object);
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Details>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options?: object,
    ): Promise<void>;
    Client: { find(id: string): Promise<Client | undefined> };
    Grant: new (of: { accountId: string; clientId: string }) => {
      addOIDCScope(scope: string): void;
      save(): Promise<string>;
    };
  }
}

declare module "oidc-provider/lib/adapters/memory_adapter.js" {
  export function createMemoryAdapter(): (model: string) => object;
}
