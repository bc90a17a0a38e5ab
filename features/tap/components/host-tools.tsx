import { type KeyboardEvent, useId } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { VirtualRows } from '@/components/ui/virtual-rows';
import { visibleText } from '@/components/ui/visible-text';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useLocation } from '@/lib/hooks/location';
import type { HostReader } from '@/lib/host/host-reader';
import { type HostParameter, type HostTool, type HostView, hostParameters } from '@/lib/host/host-view';
import { parameterText, toolDurations, toolsText } from '@/lib/host/words';
import type { Log } from '@/lib/store/log';
import { countOf, formatCount, formatDuration } from '@/lib/wire/format';
import { singlesText } from '@/lib/wire/spread';

/** Starts the item in the page’s address that names a tool. */
const TOOL = 'tool:';
/** Height of a row in px: the smallest that is easy to press. */
const ROW = 24;
/** Rows shown without scrolling. */
const MOST_ROWS = 14;
/** Columns of a row: name, calls, errors, p50, p95, tokens. A phone has no room for durations. */
const COLUMNS =
  'grid grid-cols-[minmax(0,1fr)_2.75rem_2.75rem_4.25rem_4.25rem_3.5rem] @max-[440px]:grid-cols-[minmax(0,1fr)_2.75rem_2.75rem_3.5rem] items-center gap-x-1 px-2';
/** A column that is left out on a phone. The details of the tool have it. */
const WIDE_ONLY = '@max-[440px]:hidden';

/** The tools of the server: which ones the host calls, and what their definitions cost it. */
export function HostTools({
  log,
  reader,
  view,
}: {
  readonly log: Log;
  readonly reader: HostReader;
  readonly view: HostView;
}) {
  const { item, navigate } = useLocation();
  const id = useId();
  const { tools, tokens } = view;
  const name = item?.startsWith(TOOL) ? item.slice(TOOL.length) : undefined;
  const at = tools.findIndex((tool) => tool.name === name);
  const select = (index: number) => navigate({ item: `${TOOL}${tools[index]!.name}` }, { replace: at >= 0 });
  const onKeyDown = ({ key, preventDefault }: Pick<KeyboardEvent, 'key' | 'preventDefault'>) => {
    const next = stepTo(key, at, tools.length);
    if (next === undefined) return;
    preventDefault();
    select(next);
  };
  return (
    <section aria-label="Tools" className="@container min-w-0">
      <div className="mb-1 flex flex-wrap items-baseline gap-x-3">
        <h2 className="font-medium">Tools</h2>
        <span className="tabular text-muted">
          {toolsText(view)} · ~{formatCount(tokens)} tokens of definitions
        </span>
      </div>
      {tools.length === 0 ? (
        <p className="text-muted">The host has not listed or called a tool</p>
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the list
        <div
          className="min-w-0 border border-line"
          onKeyDown={(event) => onKeyDown({ key: event.key, preventDefault: () => event.preventDefault() })}
        >
          <div aria-hidden="true" className={classNames(COLUMNS, 'h-6 border-b border-line text-small text-muted')}>
            <span>Tool</span>
            {['Calls', 'Errors', 'p50', 'p95', 'Tokens'].map((title) => (
              <span key={title} className={classNames('text-right', title.startsWith('p') && WIDE_ONLY)}>
                {title}
              </span>
            ))}
          </div>
          <div className="flex min-h-0" style={{ height: Math.min(tools.length, MOST_ROWS) * ROW }}>
            <VirtualRows
              id={id}
              role="listbox"
              label="Tools by calls"
              activeDescendant={at < 0 ? undefined : `${id}-${at}`}
              count={tools.length}
              rowHeight={ROW}
              reveal={at < 0 ? undefined : at}
              className="min-h-0 flex-1"
              render={(index) => (
                <ToolRow
                  id={`${id}-${index}`}
                  tool={tools[index]!}
                  place={{ position: index + 1, count: tools.length }}
                  isSelected={index === at}
                  onPress={() => select(index)}
                />
              )}
            />
          </div>
        </div>
      )}
      {at >= 0 && (
        <ToolUse
          tool={tools[at]!}
          parameters={hostParameters(log, reader, tools[at]!.name)}
          onClose={() => navigate({ item: undefined })}
        />
      )}
    </section>
  );
}

/** Returns the row that a key leads to. */
function stepTo(key: string, at: number, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 };
  const next = Object.hasOwn(steps, key) ? steps[key]! : undefined;
  return next === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, next));
}

function ToolRow({
  id,
  tool,
  place: { position, count },
  isSelected,
  onPress,
}: {
  readonly id: string;
  readonly tool: HostTool;
  readonly place: { readonly position: number; readonly count: number };
  readonly isSelected: boolean;
  readonly onPress: () => void;
}) {
  const { name, calls, errors, p50Us, p95Us, singlesUs, tokens, listed } = tool;
  const quantiles = singlesUs?.length === 1 ? [singlesUs[0]] : [p50Us, p95Us];
  const figures = [0, 1].map((at) => (quantiles[at] === undefined ? '' : formatDuration(quantiles[at])));
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      aria-posinset={position}
      aria-setsize={count}
      aria-label={[visibleText(name.slice(0, 200)), ...rowFacts(tool)].join(', ')}
      onClick={onPress}
      className={classNames(
        COLUMNS,
        'tabular h-full cursor-default hover:bg-text/6',
        isSelected && 'bg-accent/12',
        calls === 0 && 'text-muted',
      )}
    >
      <bdi className="truncate font-mono text-wire">{visibleText(name.slice(0, 200)) || '(no name)'}</bdi>
      <span className="text-right">{calls === 0 ? '–' : formatCount(calls)}</span>
      <span className={classNames('text-right', errors > 0 && 'text-error')}>
        {errors > 0 ? formatCount(errors) : ''}
      </span>
      {singlesUs && singlesUs.length > 1 ? (
        <span className={classNames('col-span-2 truncate text-right', WIDE_ONLY)} title={singlesText(singlesUs)}>
          {singlesText(singlesUs)}
        </span>
      ) : (
        figures.map((figure, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity
          <span key={column} className={classNames('text-right whitespace-nowrap', WIDE_ONLY)}>
            {figure}
          </span>
        ))
      )}
      <span className="text-right whitespace-nowrap">{listed ? `~${formatCount(tokens)}` : 'unlisted'}</span>
    </div>
  );
}

function rowFacts(tool: HostTool): readonly string[] {
  const { calls, errors, tokens, listed } = tool;
  return [
    calls === 0 ? 'never called' : countOf(calls, 'call'),
    ...(errors > 0 ? [countOf(errors, 'error')] : []),
    ...[toolDurations(tool)].filter(Boolean),
    listed ? `about ${countOf(tokens, 'token')}` : 'not listed',
  ];
}

/** Values shown of a parameter. */
const SHOWN_VALUES = 5;

/** How the host calls one tool, parameter by parameter. */
function ToolUse({
  tool,
  parameters,
  onClose,
}: {
  readonly tool: HostTool;
  readonly parameters: readonly HostParameter[];
  readonly onClose: () => void;
}) {
  const { name, title, calls, errors, cancelled, oddArguments, firstSeq, lastSeq } = tool;
  const facts = [
    calls === 0 ? 'never called' : countOf(calls, 'call'),
    ...(errors > 0 ? [countOf(errors, 'error')] : []),
    ...(cancelled > 0 ? [`${formatCount(cancelled)} cancelled`] : []),
    ...[toolDurations(tool)].filter(Boolean),
    ...(oddArguments > 0 ? [`${countOf(oddArguments, 'call')} with arguments that are not an object`] : []),
  ];
  return (
    <section aria-label={`Arguments of ${visibleText(name.slice(0, 80))}`} className="mt-3 min-w-0">
      <div className="flex flex-wrap items-baseline gap-x-2">
        <h3 className="min-w-0 font-medium">
          <UntrustedText text={title ?? name} limit={200} />
        </h3>
        <span className="tabular min-w-0 flex-1 basis-48 text-muted">{facts.join(' · ')}</span>
        {calls > 0 && <FrameLink seq={firstSeq} label="first" />}
        {calls > 1 && <FrameLink seq={lastSeq} label="newest" />}
        <Button size="small" variant="ghost" onClick={onClose}>
          Close
        </Button>
      </div>
      {parameters.length === 0 ? (
        <p className="text-muted">It has no parameters, and the host gives none</p>
      ) : (
        <div className="overflow-x-auto">
          <table className="tabular mt-1 w-full border-collapse text-left">
            <thead className="text-small text-muted">
              <tr>
                {['Parameter', 'Given', 'Errors', 'Values'].map((column) => (
                  <th key={column} className="border-b border-line py-0.5 pr-3 font-normal">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {parameters.map((parameter) => (
                <ParameterRow key={parameter.name} parameter={parameter} calls={calls} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function ParameterRow({ parameter, calls }: { readonly parameter: HostParameter; readonly calls: number }) {
  const { name, required, declared, given, errors } = parameter;
  return (
    <tr className={classNames('border-b border-line align-top', given === 0 && 'text-muted')}>
      <th scope="row" className="max-w-48 py-0.5 pr-3 font-mono text-wire font-normal break-words">
        <UntrustedText text={name} limit={100} />
        {required && <span title="required"> *</span>}
        {!declared && <span className="block font-sans text-small text-warn">! not in the schema</span>}
      </th>
      <td className="py-0.5 pr-3 whitespace-nowrap">
        {given === 0 && calls > 0 ? 'never' : `${formatCount(given)} of ${formatCount(calls)}`}
      </td>
      <td className={classNames('py-0.5 pr-3', errors > 0 && 'text-error')}>{errors > 0 ? formatCount(errors) : ''}</td>
      <td className="min-w-0 py-0.5 font-mono text-wire break-all">
        {given > 0 && <UntrustedText text={parameterText(parameter, SHOWN_VALUES)} limit={600} />}
      </td>
    </tr>
  );
}
