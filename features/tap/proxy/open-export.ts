import type { ExportThread } from '@/proxy/otel/export-thread';
import type { OtlpSettings } from '@/proxy/otel/otlp-settings';

/** How long the end of a tap waits for the receiver, in ms. The host waits for that end. */
export const EXPORT_END_MS = 2000;

/** Starts the thread that exports, beside the one that records. Loads it only when it is asked for. */
export async function openExport(
  { otlp, version }: { readonly otlp?: OtlpSettings | undefined; readonly version: string },
  note: (sentence: string) => void,
): Promise<ExportThread | undefined> {
  if (!otlp) return undefined;
  const { ExportThread } = await import('@/proxy/otel/export-thread');
  return new ExportThread(otlp, { version, note });
}

/** Reads the settings of `--otel export`; undefined without it. Rejects with a Failure. */
export async function exportSettings(otlp: string | undefined): Promise<OtlpSettings | undefined> {
  if (otlp === undefined) return undefined;
  return (await import('@/proxy/otel/otlp-settings')).readOtlpSettings(otlp, process.env);
}
