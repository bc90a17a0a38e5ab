import { useMemo } from 'react';
import { NewestUnmatchedNote } from '@/components/exchange/unmatched-note';
import { focusForm } from '@/components/ui/focus';
import { useGap } from '@/lib/hooks/connections';
import { useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import { useResourceHistories } from '@/lib/hooks/resource-history';
import { own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { READ_DIRECTORY, type ResourceHistories } from '@/lib/store/resource-history';
import type { Entry, ResourceEntry, TemplateEntry } from '@/lib/store/state/state';
import { countOf } from '@/lib/wire/format';
import { Catalogue, ListingNote, NoLongerListed, useCancelListing } from '../shared/catalogue';
import type { CatalogueItem } from '../shared/entry-list';
import { useFirstRead } from '../shared/first-read';
import { ListChangesNote } from '../shared/list-changes';
import { useSteadyEntry } from '../shared/steady-entry';
import { isDirectory } from './directory';
import { AutomaticReads } from './resource-changes';
import { ResourceDetail } from './resource-detail';
import { TemplateDetail } from './template-detail';

const METHODS = ['resources/list', 'resources/templates/list'];

/** The server's resources and resource templates. */
export function ResourcesPanel({ log }: { readonly log: Log }) {
  const resources = useLogState(log, (state) => state.resources);
  const templates = useLogState(log, (state) => state.templates);
  const connection = useLogState(log, (state) => state.connection.state);
  const gap = useGap(log);
  const past = log !== log.whole;
  const cancelListing = useCancelListing(log);
  const firstRead = useFirstRead(log);
  const { item } = useLocation();
  const histories = useResourceHistories(log);
  const version = histories.catchUp();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the histories
  const items = useMemo(
    () => [
      ...templates.items.map((entry) => row(entry, entry.uriTemplate)),
      ...resources.items.map((entry) => ({ ...row(entry, entry.uri), mark: markOf(histories, entry.uri) })),
    ],
    [resources.items, templates.items, histories, version],
  );
  const shared = { capability: 'resources', state: connection, gap, past };
  const notes = (
    <>
      {(items.length === 0 || isUnfinished(resources)) && (
        <ListingNote
          {...shared}
          listing={resources}
          what="resources"
          onCancel={() => cancelListing('resources/list')}
        />
      )}
      {isUnfinished(templates) && (
        <ListingNote
          {...shared}
          listing={templates}
          what="resource templates"
          onCancel={() => cancelListing('resources/templates/list')}
        />
      )}
      <NewestUnmatchedNote log={log} methods={METHODS} />
      <ListChangesNote log={log} listing={resources} what="resources" />
      <ListChangesNote log={log} listing={templates} what="templates" />
    </>
  );
  const { entry: shown } = useSteadyEntry(log, items, item);
  const chosen = item ?? shown?.key;
  const { entry: template, isGone } = useSteadyEntry(log, templates.items, chosen ?? '');
  if (items.length === 0 && chosen === undefined) return notes;
  const open = (key: string) => {
    const resource = resources.items.find((entry) => entry.key === key);
    if (resource && isDirectory(resource)) firstRead(resource.uri, undefined, READ_DIRECTORY);
    else if (resource) firstRead(resource.uri, own(resource.raw, 'size'));
    else focusForm();
  };
  return (
    <Catalogue log={log} what="resources" items={items} selected={chosen} onOpen={open} note={notes}>
      <AutomaticReads log={log} />
      {chosen !== undefined && (
        <>
          {isGone && <NoLongerListed one="template" />}
          <Detail log={log} item={chosen} resources={resources.items} template={template} />
        </>
      )}
    </Catalogue>
  );
}

function isUnfinished({ status }: { readonly status: string }): boolean {
  return status === 'failed' || status === 'listing';
}

/** Returns the badge of a resource with a subscription, and how often it changed. */
function markOf(histories: ResourceHistories, uri: string): CatalogueItem['mark'] {
  const { state } = histories.subscriptionOf(uri);
  const { count } = histories.updatesOf(uri);
  if (state === 'lost' || state === 'ended' || state === 'refused') {
    return { label: `! ${state}`, title: `The subscription was ${state}`, tone: 'warn' };
  }
  if (state === 'none' || state === 'stopped') return undefined;
  const unread = histories.isStale(uri) ? '. Changed since it was read' : '';
  return {
    label: count === 0 ? 'subscribed' : countOf(count, 'update'),
    title: `Subscribed, ${countOf(count, 'update')}${unread}`,
    tone: unread === '' ? 'muted' : 'accent',
  };
}

interface DetailProps {
  readonly log: Log;
  readonly item: string;
  readonly resources: readonly ResourceEntry[];
  readonly template: TemplateEntry | undefined;
}

/** Shows `item`: a listed resource, a template, or a uri that the server mentioned but does not list. */
function Detail({ log, item, resources, template }: DetailProps) {
  const resource = resources.find(({ key }) => key === item);
  const histories = useResourceHistories(log);
  if (template && !resource) return <TemplateDetail key={item} log={log} template={template} />;
  return (
    <ResourceDetail key={item} log={log} uri={resource?.uri ?? item} resource={resource ?? histories.childOf(item)} />
  );
}

function row(entry: Entry, uri: string) {
  const title = own(entry.raw, 'title');
  return {
    key: entry.key,
    name: entry.name || uri,
    detail: entry.name === uri ? undefined : uri,
    searchText: `${typeof title === 'string' ? title : ''}\n${String(own(entry.raw, 'description') ?? '')}`,
    problem: entry.problem,
    icons: entry.raw,
  };
}
