import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { listContent } from "../../http/collection.ts";
import { membersIn, readFields } from "../../http/fields/fields.ts";
import { bodyOf, shortBodyLimit } from "../../http/request/body.ts";
import { textIn } from "../../http/request/list-filters.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { type Content, content, pageContent } from "../../http/response/representation.ts";
import { removeMail, resendMail } from "../mails/mail-store.ts";
import { listMails } from "./mail-list-store.ts";
import { hasJobs } from "../../jobs/queue.ts";
import { findExamination, listFindings } from "./examination-store.ts";
import { examineJob, requestExamination } from "./examine.ts";
import { examinationFields, retryFields } from "./fields.ts";
import { cancelQueued, findFailures, queueFacts, retryFailed, runNow } from "./manage-queue.ts";
import { measureJob, requestMeasuring } from "./measure-storage.ts";
import {
  type Schedule,
  documentOf,
  presentExamination,
  presentFailure,
  presentJob,
  presentMail,
  presentQueue,
  presentSignIn,
} from "./present-system.ts";
import { findVisibleDocuments } from "../documents/store.ts";
import { type QueueState, listQueue } from "./queue-store.ts";
import { listSignIns } from "./sign-in-list-store.ts";
import { findTotal, largest } from "./storage-store.ts";
import { healthFacts, settingsInForce } from "./system.ts";
import * as shapes from "./system-schema.ts";
import { adminView, examinationView, failureListView, jobView, mailView, storageView } from "./views.ts";

const reading = "hidden";
const lastPage = { next: null, previous: null };

/** The queue and the state of the server, for administrators. */
export function systemRoutes(app: FastifyInstance, context: Context, schedule: Schedule): void {
  serverRoutes(app, context);
  jobRoutes(app, context, schedule);
  storageRoute(app, context);
  examinationRoute(app, context);
  signInRoute(app, context);
  mailRoutes(app, context);
}

function serverRoutes(app: FastifyInstance, context: Context): void {
  const { config } = context;

  resourceRoute(app, {
    path: "/api/admin/health/",
    view: adminView("Server Health", "The state of the server."),
    reading,
    get: {
      schema: shapes.readingHealth,
      answer: () => healthFacts(context),
    },
  });

  resourceRoute(app, {
    path: "/api/admin/settings/",
    view: adminView("Setting List", "The settings as they are in force, without the values of secret ones."),
    reading,
    get: {
      schema: shapes.listingSettings,
      answer: () => pageContent(lastPage, settingsInForce(config)),
    },
  });
}

function jobRoutes(app: FastifyInstance, context: Context, schedule: Schedule): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/admin/queue/",
    view: adminView("Queue", "How many jobs run, wait and have failed; what the server does by itself."),
    reading,
    get: {
      schema: shapes.readingQueue,
      answer: async () => presentQueue(await queueFacts(context), schedule),
    },
  });

  resourceRoute(app, {
    path: "/api/admin/jobs/",
    view: adminView("Job List", "The jobs that run or wait, in the order in which they were queued."),
    reading,
    get: {
      schema: shapes.listingJobs,
      async answer(request, viewer) {
        const state = stateIn(request);
        return listContent(request, {
          find: (cursor, limit) => listQueue(database, state, cursor, limit),
          async present(rows) {
            const ids = rows.map(documentOf).filter((id) => id !== null);
            const visible = await findVisibleDocuments(database, viewer, [...new Set(ids)]);
            const titles = new Map(visible.map(({ id, title }) => [id, title]));
            return rows.map((row) => presentJob(row, titles));
          },
        });
      },
    },
  });

  resourceRoute(app, {
    path: "/api/admin/jobs/:id/",
    view: jobView,
    reading,
    post: {
      schema: shapes.runningNow,
      bodyLimit: shortBodyLimit,
      answer: (request) => runNow(context, idIn(request, "id")),
    },
    delete: {
      schema: shapes.cancelling,
      answer: (request, viewer) => cancelQueued(context, viewer, idIn(request, "id")),
    },
  });

  resourceRoute(app, {
    path: "/api/admin/failures/",
    view: failureListView,
    reading,
    get: {
      schema: shapes.listingFailures,
      answer: async () => pageContent(lastPage, (await findFailures(database)).map(presentFailure), ["POST"]),
    },
    post: {
      schema: shapes.retrying,
      async answer(request, viewer) {
        const fields = readFields(retryFields, membersIn(retryFields, bodyOf(request)), "part");
        return { restarted: await retryFailed(context, viewer, fields) };
      },
    },
  });
}

function storageRoute(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/admin/storage/",
    view: storageView,
    reading,
    get: {
      schema: shapes.readingStorage,
      answer: storageContent,
    },
    post: {
      schema: shapes.measuring,
      bodyLimit: shortBodyLimit,
      async answer() {
        await requestMeasuring(context);
        return storageContent();
      },
    },
  });

  async function storageContent(): Promise<Content> {
    const { reader } = database;
    const [total, users, organizations, projects, isMeasuring] = await Promise.all([
      findTotal(reader),
      largest(database, "user"),
      largest(database, "organization"),
      largest(database, "project"),
      hasJobs(reader, { kinds: [measureJob] }),
    ]);
    const { measured_at, ...figures } = total ?? { measured_at: null, documents: 0, pages: 0, bytes: 0 };
    const { config } = context;
    const shown = {
      measured_at,
      is_measuring: isMeasuring,
      total: figures,
      users,
      organizations,
      projects,
      limits: {
        person_megabytes: config.personStorageMb,
        organization_megabytes: config.organizationStorageMb,
        person_pages_per_day: config.personPagesPerDay,
        organization_pages_per_day: config.organizationPagesPerDay,
      },
    };
    return content(shown, ["POST"]);
  }
}

function examinationRoute(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/admin/examination/",
    view: examinationView,
    reading,
    get: {
      schema: shapes.readingExamination,
      answer: examinationContent,
    },
    post: {
      schema: shapes.examining,
      bodyLimit: shortBodyLimit,
      async answer(request) {
        const fields = readFields(examinationFields, membersIn(examinationFields, bodyOf(request)), "whole");
        const { repairs = false, hashes = false } = fields;
        await requestExamination(context, { repairs, hashes });
        return examinationContent();
      },
    },
  });

  async function examinationContent(): Promise<Content> {
    const examination = await findExamination(database.reader);
    const isRunning = await hasJobs(database.reader, { kinds: [examineJob] });
    const findings = examination === null ? [] : await listFindings(database, examination.id);
    return content(presentExamination(examination, findings, isRunning), ["POST"]);
  }
}

function signInRoute(app: FastifyInstance, { database }: Context): void {
  resourceRoute(app, {
    path: "/api/admin/sign-ins/",
    view: adminView("Sign-in List", "Sign-ins and refusals of the last 30 days, the newest first."),
    reading,
    get: {
      schema: shapes.listingSignIns,
      async answer(request) {
        const kind = textIn(queryOf(request), "kind");
        return listContent(request, {
          find: (cursor, limit) => listSignIns(database, kind, cursor, limit),
          present: (rows) => rows.map(presentSignIn),
          way: "descending",
        });
      },
    },
  });
}

function mailRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/admin/mails/",
    view: adminView("Mail List", "The mails of the last 30 days, the newest first."),
    reading,
    get: {
      schema: shapes.listingMails,
      answer: (request) =>
        listContent(request, {
          find: (cursor, limit) => listMails(database, cursor, limit),
          present: (rows) => rows.map(presentMail),
          way: "descending",
        }),
    },
  });

  resourceRoute(app, {
    path: "/api/admin/mails/:id/",
    view: mailView,
    reading,
    post: {
      schema: shapes.resendingMail,
      bodyLimit: shortBodyLimit,
      answer: (request) => resendMail(context, idIn(request, "id")),
    },
    delete: {
      schema: shapes.removingMail,
      async answer(request) {
        const id = idIn(request, "id");
        if (!(await database.write((writer) => removeMail(writer, id)))) throw notFound();
      },
    },
  });
}

const states: readonly QueueState[] = ["all", "running", "waiting", "retrying"];

/** An unknown state counts as none. */
function stateIn(request: FastifyRequest): QueueState {
  const sent = textIn(queryOf(request), "state");
  return states.find((state) => state === sent) ?? "all";
}
