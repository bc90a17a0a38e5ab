import { useMemo } from 'react';
import { NewestUnmatchedNote } from '@/components/exchange/unmatched-note';
import { focusForm } from '@/components/ui/focus';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { useGap } from '@/lib/hooks/connections';
import { useLogState } from '@/lib/hooks/log';
import { useResourceHistories } from '@/lib/hooks/resource-history';
import { own, textOrJson } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { READ_DIRECTORY, type ResourceHistories } from '@/lib/store/resource-history';
import type { ListEntry, ResourceEntry, TemplateEntry } from '@/lib/store/state/state';
import { countOf } from '@/lib/wire/format';
import { type BrowseGroup, isSettled, isUnfinished } from '../shared/browse-group';
import { ListingNote, NoLongerListed, useCancelListing } from '../shared/catalogue';
import type { CatalogueItem } from '../shared/entry-list';
import { useFirstRead } from '../shared/first-read';
import { ListChangesNote } from '../shared/list-changes';
import { useFirstProblems } from '../shared/problem-subjects';
import { useSteadyEntry } from '../shared/steady-entry';
import { isDirectory } from './directory-type';

const AutomaticReads = lazyWhenIdle(() => import('./resource-changes').then((file) => file.AutomaticReads));
const ResourceDetail = lazyWhenIdle(() => import('./resource-detail').then((file) => file.ResourceDetail));
const TemplateDetail = lazyWhenIdle(() => import('./template-detail').then((file) => file.TemplateDetail));

const METHODS = ['resources/list', 'resources/templates/list'];

/** Returns the server's resources and resource templates. */
export function useResourceGroup(log: Log, item: string | undefined): BrowseGroup {
  const resources = useLogState(log, (state) => state.resources);
  const templates = useLogState(log, (state) => state.templates);
  const state = useLogState(log, ({ connection }) => connection.state);
  const gap = useGap(log);
  const cancelListing = useCancelListing(log);
  const firstRead = useFirstRead(log);
  const histories = useResourceHistories(log);
  const version = histories.catchUp();
  const problems = useFirstProblems(log, 'resources');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the histories
  const items = useMemo(
    () => [
      ...templates.items.map((entry) => row(entry, entry.uriTemplate, problems)),
      ...resources.items.map((entry) => ({ ...row(entry, entry.uri, problems), mark: markOf(histories, entry.uri) })),
    ],
    [resources.items, templates.items, problems, histories, version],
  );
  const { entry: shown } = useSteadyEntry(log, items, item);
  const chosen = item ?? shown?.key;
  const { entry: template, isGone } = useSteadyEntry(log, templates.items, chosen ?? '');
  const shared = { capability: 'resources', state, gap, past: log !== log.whole };
  const note = (
    <ListingNote {...shared} listing={resources} what="resources" onCancel={() => cancelListing('resources/list')} />
  );
  return {
    panel: 'resources',
    title: 'Resources',
    items,
    selected: chosen,
    isSettled: isSettled(resources, state),
    note: (
      <>
        {isUnfinished(resources) && note}
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
    ),
    draw: () =>
      chosen === undefined ? (
        !isUnfinished(resources) && note
      ) : (
        <>
          <AutomaticReads log={log} />
          {isGone && <NoLongerListed one="template" />}
          <Detail log={log} item={chosen} resources={resources.items} template={template} />
        </>
      ),
    onOpen: (key) => {
      const resource = resources.items.find((entry) => entry.key === key);
      if (resource && isDirectory(resource)) firstRead(resource.uri, { method: READ_DIRECTORY });
      else if (resource) firstRead(resource.uri, { size: own(resource.raw, 'size') });
      else focusForm();
    },
  };
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

function row(entry: ListEntry, uri: string, problems: ReadonlyMap<string, string>) {
  const title = own(entry.raw, 'title');
  return {
    key: entry.key,
    name: entry.name || uri,
    detail: entry.name === uri ? undefined : uri,
    searchText: `${typeof title === 'string' ? title : ''}\n${textOrJson(own(entry.raw, 'description'))}`,
    problem: entry.problem ?? problems.get(entry.key),
    icons: entry.raw,
  };
}
