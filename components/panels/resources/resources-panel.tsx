import { useMemo } from 'react';
import { NewestUnmatchedNote } from '@/components/exchange/unmatched-note';
import { focusForm } from '@/components/ui/focus';
import { useGap } from '@/lib/hooks/connections';
import { useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import { own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import type { Entry, ResourceEntry, TemplateEntry } from '@/lib/store/state/state';
import { Catalogue, ListingNote, useCancelListing } from '../shared/catalogue';
import { useFirstRead } from '../shared/first-read';
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
  const items = useMemo(
    () => [
      ...templates.items.map((entry) => row(entry, entry.uriTemplate)),
      ...resources.items.map((entry) => row(entry, entry.uri)),
    ],
    [resources.items, templates.items],
  );
  const shared = { capability: 'resources', state: connection, gap, past };
  const notes = (
    <>
      <ListingNote {...shared} listing={resources} what="resources" onCancel={() => cancelListing('resources/list')} />
      {(templates.status === 'failed' || templates.status === 'listing') && (
        <ListingNote
          {...shared}
          listing={templates}
          what="resource templates"
          onCancel={() => cancelListing('resources/templates/list')}
        />
      )}
      <NewestUnmatchedNote log={log} methods={METHODS} />
    </>
  );
  if (items.length === 0 && item === undefined) return notes;
  const chosen = item ?? items[0]?.key;
  const open = (key: string) => {
    const resource = resources.items.find((entry) => entry.key === key);
    if (resource) firstRead(resource.uri, own(resource.raw, 'size'));
    else focusForm();
  };
  return (
    <Catalogue
      what="resources"
      items={items}
      selected={chosen}
      onOpen={open}
      note={[resources, templates].some(({ status }) => status === 'failed' || status === 'listing') ? notes : null}
    >
      {chosen !== undefined && (
        <Detail log={log} item={chosen} resources={resources.items} templates={templates.items} />
      )}
    </Catalogue>
  );
}

interface DetailProps {
  readonly log: Log;
  readonly item: string;
  readonly resources: readonly ResourceEntry[];
  readonly templates: readonly TemplateEntry[];
}

/** Shows `item`: a listed resource, a template, or a uri that the server mentioned but does not list. */
function Detail({ log, item, resources, templates }: DetailProps) {
  const resource = resources.find(({ key }) => key === item);
  const template = templates.find(({ key }) => key === item);
  if (template && !resource) return <TemplateDetail key={item} log={log} template={template} />;
  return <ResourceDetail key={item} log={log} uri={resource?.uri ?? item} resource={resource} />;
}

function row(entry: Entry, uri: string) {
  const title = own(entry.raw, 'title');
  return {
    key: entry.key,
    name: entry.name || uri,
    detail: entry.name === uri ? undefined : uri,
    searchText: `${typeof title === 'string' ? title : ''}\n${String(own(entry.raw, 'description') ?? '')}`,
    problem: entry.problem,
  };
}
