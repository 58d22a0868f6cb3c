import type { Context } from "../context.ts";
import { MetricsParts } from "../metrics/metrics-parts.ts";
import { InstallationMetrics } from "../resources/installation/installation-metrics.ts";

/**
 * The metrics of the server whose first process this is. Null if nobody may read them. Other processes and threads are
 * added to it.
 */
export function metricsOf(context: Context): MetricsParts | null {
  const { metrics } = context;
  if (metrics === null) return null;
  const installation = new InstallationMetrics(context);
  const parts = new MetricsParts(metrics, () => installation.measurements());
  metrics.measureProcess();
  metrics.setPage(() => parts.page());
  return parts;
}
