import { useMemo } from 'react';
import { useLogSize } from '@/lib/hooks/use-log';
import { stringifyJson } from '@/lib/schema/json';
import type { Log } from '@/lib/store/log';
import { valuesInUri } from './uri-template';

/** The values of a template with which it was read last, as the text of an object; '{}' if it never was, or nobody asks. */
export function useValuesRead(log: Log, uriTemplate: string, wanted: boolean): string {
  const size = useLogSize(log);
  return useMemo(() => {
    const values = wanted ? valuesRead(log, uriTemplate, size) : undefined;
    return values ? stringifyJson(values, 2) : '{}';
  }, [log, uriTemplate, wanted, size]);
}

function valuesRead(log: Log, uriTemplate: string, size: number) {
  const { columns } = log;
  for (let index = size - 1; index >= 0; index--) {
    if (columns.kind(index) !== 'request' || columns.method(index) !== 'resources/read') continue;
    const values = valuesInUri(uriTemplate, log.row(index).name ?? '');
    if (values) return values;
  }
  return undefined;
}
