import type { MonacoModule } from '@/components/editor/monaco';

/** Replaces components/editor/monaco, which is larger than the rest of the file. Nothing is edited in a shared file. */
export function loadMonaco(): Promise<MonacoModule> {
  return Promise.reject(new Error('The editor is not included in this file.'));
}
