import { Icon } from '@/components/ui/icon';
import { Menu } from '@/components/ui/menu';
import { navigate } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { formatCount } from '@/lib/wire/format';
import { hasApps } from '../apps/has-apps';
import { hasTasks } from '../tasks/task-terms';

/** Leads to what belongs to no entry: the tasks that the server runs, and its apps. */
export function BrowseMenu({ log, label }: { readonly log: Log; readonly label: string }) {
  const running = useLogState(log, ({ tasks }) => tasks.running);
  const apps = useLogState(log, hasApps);
  const tasks = useLogState(log, hasTasks);
  if (!apps && !tasks) return null;
  return (
    <Menu
      label={label}
      items={() => [
        ...(tasks
          ? [
              {
                label: running > 0 ? `Tasks (${formatCount(running)} running)` : 'Tasks',
                run: () => navigate({ panel: 'tasks', item: undefined }),
              },
            ]
          : []),
        ...(apps ? [{ label: 'Apps', run: () => navigate({ panel: 'apps', item: undefined }) }] : []),
      ]}
    >
      <Icon name="more" />
    </Menu>
  );
}
