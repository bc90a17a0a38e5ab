import { useCallback, useMemo, useRef } from 'react';
import { useComplete } from '@/components/exchange/use-complete';
import { JsonForm } from '@/components/form/json-form';
import { documentKey, useDocument, useSentDocument } from '@/components/form/use-document';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useReadOnly } from '@/lib/hooks/connections';
import { useLogSize, useLogState } from '@/lib/hooks/log';
import { isRecord } from '@/lib/json/edit';
import { stringifyJson } from '@/lib/json/exact';
import type { Log } from '@/lib/store/log';
import type { TemplateEntry } from '@/lib/store/state/state';
import { ReadView } from './resource-detail';
import { ResourceSection } from './resource-facts';
import { expandTemplate, templateSchema, valuesInUri } from './uri-template';

/** One resource template: a field for each variable, the resulting uri, and its contents. */
export function TemplateDetail({ log, template }: { readonly log: Log; readonly template: TemplateEntry }) {
  const server = useLogState(log, (state) => state.connection.start?.name ?? '');
  const draft = useDocument(documentKey('template', server, template.key));
  const readOnly = useReadOnly(log);
  const sent = useSentDocument(useLastReadValues(log, template.uriTemplate, readOnly));
  const document = readOnly ? sent : draft;
  const schema = useMemo(() => templateSchema(template.uriTemplate), [template.uriTemplate]);
  const values = document.parsed.ok && isRecord(document.parsed.value) ? document.parsed.value : {};
  const latest = useRef<unknown>(undefined);
  latest.current = values;
  const context = useCallback(() => latest.current, []);
  const complete = useComplete(log, JSON.stringify({ type: 'ref/resource', uri: template.uriTemplate }), context);
  const uri = expandTemplate(template.uriTemplate, values);
  return (
    <div className="min-h-0 flex-1 overflow-auto scroll-pb-12">
      <div className="flex flex-col gap-3 p-3">
        <ResourceSection log={log} entry={template} uri={template.uriTemplate} />
        <div data-form="">
          <JsonForm
            schema={schema}
            document={document}
            empty="This template has no variables"
            complete={readOnly ? undefined : complete}
          />
        </div>
        <p>
          <span className="text-muted">uri </span>
          <output className="font-mono text-wire">
            <UntrustedText text={uri ?? 'invalid values'} limit={1_000} />
          </output>
        </p>
      </div>
      <ReadView
        log={log}
        uri={uri ?? ''}
        blocked={uri === undefined ? 'These values do not give a valid URI' : undefined}
      />
    </div>
  );
}

/** Returns the values of the template's last read, as JSON. '{}' if it was never read or `wanted` is false. */
function useLastReadValues(log: Log, uriTemplate: string, wanted: boolean): string {
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
