import { RefusedError } from "./desk-api.ts";
import { Resource } from "./resource.ts";
import { adminTexts } from "./admin-texts.ts";

export type { ListPage as ListAnswer } from "./selectable-list.ts";

/** A resource for administrators. */
export class AdminResource<Answer> extends Resource<Answer> {
  /** Reads the address again after a change, and says so. */
  async noteChange(done: string): Promise<void> {
    this.notify("");
    await this.load();
    // The list has changed before the page says so: what it removes may have had the focus.
    if (!this.message.peek().isProblem) this.notify(done);
  }

  /**
   * Sends a change, reads the address again, and says so. Returns the response to the change, or null if it was
   * refused or has no body.
   */
  async act<Reply>(method: string, path: string, value: unknown, done: string): Promise<Reply | null> {
    try {
      const reply = (await this.api.send(method, path, value)) as Reply | null;
      await this.noteChange(done);
      return reply;
    } catch (error) {
      this.refuse(error);
      return null;
    }
  }

  /** To everyone but administrators, the addresses for them do not exist. */
  override refuse(error: unknown): void {
    const isHidden = error instanceof RefusedError && error.status === 404;
    if (isHidden) this.notify(adminTexts.notFound, true);
    else super.refuse(error);
  }
}
